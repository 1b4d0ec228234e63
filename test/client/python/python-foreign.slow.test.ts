import { expect, test } from "vitest";
import { ENGLISH } from "../../../core/messages/en/english.ts";
import { RunningRelay } from "../../relay/running-relay.ts";
import { type CallFault, HttpCutter } from "../../sim/http-cutter.ts";
import { smallWav } from "../../wav-bytes.ts";
import { someOf } from "../../whole-forms.ts";
import { readVectors } from "../../vectors/vector.ts";
import { commandOf, packageIn } from "./run-python.ts";

/** A relay with a paired app of the Python command, and a proxy between them. */
async function pairedThroughProxy(relay: RunningRelay, proxy: HttpCutter) {
  const app = await commandOf(relay, proxy.url);
  expect(await app.run("pair", app.code)).toMatchObject({ status: 0 });
  return app;
}

const faultOf = ({ status, headers, body }: (typeof ANSWERS)[number]["answer"]): CallFault => {
  return { status, headers, body: typeof body === "string" ? body : "" };
};
const { answers: ANSWERS } = readVectors().foreign;

test.each(someOf(ANSWERS, 6))(
  "[W41][W53] $name at each step of a send is waited out, and one package arrives",
  async ({ answer }) => {
    await using relay = await RunningRelay.start();
    await using proxy = await HttpCutter.to(relay.url);
    const app = await pairedThroughProxy(relay, proxy);
    const beat = await app.write("beat.wav", smallWav());
    const answered = new Set<string>();
    proxy.fault = ({ method, path }) => {
      const step = `${method} ${path.replace(/.*\//, "")}`;
      if (step === "GET me" || answered.has(step)) return undefined;
      answered.add(step);
      return faultOf(answer);
    };
    const sent = await app.run("send", beat, "--no-follow", "--json");
    expect(sent).toMatchObject({ status: 0 });
    expect(JSON.parse(sent.stdout)).toMatchObject({ status: "waiting" });
    expect([...answered]).toEqual(
      expect.arrayContaining(["POST packages", "PUT beat.wav", "POST commit"]),
    );
    const { json } = await relay.call("GET", "/importer/packages", { token: app.importer.token });
    expect(json.packages).toMatchObject([{ package_id: packageIn(sent) }]);

    // A command that makes one call hasn't met the relay before.
    proxy.fault = ({ method }) => (method === "GET" ? undefined : faultOf(answer));
    for (const words of [["withdraw", packageIn(sent)], ["unpair"]]) {
      const [action = "", ...more] = words;
      const { status, stdout } = await app.run(action, ...more);
      expect({ status, stdout }, action).toEqual({ status: 1, stdout: "" });
    }
    proxy.fault = () => undefined;
    expect(await relay.status(await app.token(), packageIn(sent))).toMatchObject({
      status: "waiting",
    });
  },
);

test("[W41][W53] a body that a proxy finds too large goes in parts, and nothing is sent twice", async () => {
  await using relay = await RunningRelay.start();
  await using proxy = await HttpCutter.to(relay.url);
  const app = await pairedThroughProxy(relay, proxy);
  const long = await app.write("long.wav", smallWav({ frames: 4_000_000 }));
  proxy.fault = ({ headers }) =>
    Number(headers["content-length"] ?? 0) > 3_000_000
      ? { status: 413, body: "<h1>413 Request Entity Too Large</h1>" }
      : undefined;
  const sent = await app.run("send", long, "--no-follow", "--json");
  expect(sent).toMatchObject({ status: 0 });
  expect(JSON.parse(sent.stdout)).toMatchObject({ status: "waiting" });
  const appends = proxy.calls.filter(({ method }) => method === "PATCH");
  expect(appends.map(({ headers }) => headers["upload-complete"]).slice(-4)).toEqual([
    "?0",
    "?0",
    "?0",
    "?1",
  ]);
});

test("[W41][W53] what answers in the relay's place is named while the send waits", async () => {
  await using relay = await RunningRelay.start();
  await using proxy = await HttpCutter.to(relay.url);
  const app = await pairedThroughProxy(relay, proxy);
  const beat = await app.write("beat.wav", smallWav());
  proxy.failNext("POST", /commit$/, { status: 200, body: "<title>Sign in</title>" }, 2);
  const sent = await app.run("send", beat, "--no-follow");
  expect(sent.status).toBe(0);
  expect(sent.stderr).toContain(`${ENGLISH["page.foreignAnswer"]} Retrying in `);
});
