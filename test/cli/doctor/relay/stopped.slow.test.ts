import { expect, test } from "vitest";
import { RunningRelay } from "../../../relay/running-relay.ts";
import { makeMachine } from "../../run-soundferry.ts";
import { examineSite, leftAt } from "./examine-site.ts";
import { hasProxyAddress, startSite } from "./faulty-site.ts";
import { soon } from "../../../sim/soon.ts";

test("[K15] Ctrl-C while calls stay open removes what was created, and exits 1", async () => {
  await using relay = await RunningRelay.start();
  await using machine = await makeMachine();
  const doctor = machine.start(["doctor", "--json", "--relay", relay.url]);
  await doctor.until(({ stderr }) => stderr.includes("Holding a call and a WebSocket open"));
  expect(await leftAt(relay)).not.toEqual([]);
  doctor.interrupt();
  const { status, stdout, stderr } = await doctor.ended;
  expect([status, JSON.parse(stdout)]).toEqual([1, { error: "Stopped." }]);
  expect(stderr).toContain("Stopped.");
  await soon(() => leftAt(relay)).toEqual([]);
});

test
  .skipIf(!hasProxyAddress)
  .for(["POST /importer/register", "GET /importer/me", "POST /pair/claim", "POST /packages"])(
  "[K15] stopped at %s, it leaves nothing behind (needs a second local address)",
  async (call) => {
    await using relay = await RunningRelay.start();
    const stop = new AbortController();
    await using site = await startSite(relay.url, {}, (called) => {
      if (called === call) stop.abort(new Error("Stopped."));
    });
    await expect(examineSite(site.url, { signal: stop.signal })).rejects.toThrow("Stopped.");
    await soon(() => leftAt(relay)).toEqual([]);
  },
);

test.skipIf(!hasProxyAddress)(
  "[K15] says how to remove what it couldn't remove (needs a second local address)",
  async () => {
    await using relay = await RunningRelay.start();
    await using site = await startSite(relay.url, { refuses: "DELETE /importer/me" });
    const findings = await examineSite(site.url);
    const cleanup = findings.find(({ check }) => check === "cleanup");
    const [device] = await leftAt(relay);
    expect(cleanup?.state).toBe("wrong");
    expect(cleanup?.sentence).toContain(device);
    expect(cleanup?.advice).toContain(`admin erase ${device}`);
  },
);

test.for([
  { words: ["--quick"], says: "--quick is for --relay." },
  { words: ["--relay", "ftp://relay.example"], says: "such as https://relay.example" },
])("[K15][K1] $words is wrong use", async ({ words, says }) => {
  await using machine = await makeMachine();
  const { status, stdout } = await machine.runInside(["doctor", "--json", ...words]);
  expect(status).toBe(2);
  expect(JSON.parse(stdout)).toEqual({ error: expect.stringContaining(says), code: "WRONG_USE" });
});

test("[K15] where no relay answers, it says so and what it didn't check", async () => {
  const findings = await examineSite("http://127.0.0.1:9");
  expect(findings.map(({ check, state }) => `${check} ${state}`)).toEqual([
    "certificate ok",
    "relay wrong",
    "not-checked note",
  ]);
});
