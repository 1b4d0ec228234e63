import { describe, expect, onTestFinished, test } from "vitest";
import { serveControl } from "../../../addon/control/control-server.ts";
import { DragAddresses, dragRoutes } from "../../../addon/control/drag-routes.ts";
import { offerPackage } from "../relay/packages-to-import.ts";
import { startStandIn } from "../relay/linked-client.ts";
import { ManualTimers } from "../manual-timers.ts";
import { until } from "../../sim/until.ts";
import { ask, runPanel, SECRET } from "./ask.ts";

const TOKEN = "0b1f3c9e-7a52-4d0e-9a44-5f1f6f1f8f10";
const OFFER = "/control/packages/pkg_1_____________________/sounds/a%2Fb/drag";
const NO_KEY = { "x-soundferry-secret": undefined };

/** Serves the routes of one importer with one sound, and records what was opened. */
async function serveDrags() {
  const timers = new ManualTimers();
  const opened: string[] = [];
  async function* body() {
    yield Buffer.from("RIFF");
  }
  const routes = dragRoutes(
    {
      openSound: async (packageId, soundId) => {
        opened.push(`${packageId} ${soundId}`);
        return { fileName: "Kick (é) 1.wav", sizeBytes: 4, body: body() };
      },
    },
    { timers },
  );
  const server = await serveControl(routes, { port: 0, secret: SECRET });
  onTestFinished(() => server.close());
  const { port } = server;
  const offer = (token: unknown) =>
    ask(port, { method: "POST", path: OFFER, body: { token } }).then(({ status }) => status);
  const fetch = (headers: Readonly<Record<string, string | undefined>> = {}, token = TOKEN) =>
    ask(port, { path: `/control/drag/${token}`, headers: { ...NO_KEY, ...headers } });
  return { port, timers, opened, offer, fetch };
}

describe("the one-time address of a sound", () => {
  test("[N26] gives a package's own bytes before its import, without the panel's key, once", async () => {
    const relay = await startStandIn();
    offerPackage(relay, "pkg_1_____________________", ["Kick", "Snare: big"]);
    const { importer, call, port } = await runPanel(relay.url);
    await until(() => importer.state.connection.status === "connected");
    const asked = await call("POST", "/control/packages/pkg_1_____________________/sounds/2/drag", {
      token: TOKEN,
    });
    expect(asked).toMatchObject({ status: 200, json: {} });
    const path = `/control/drag/${TOKEN}`;
    const got = await ask(port, { path, headers: NO_KEY });
    expect(got.status).toBe(200);
    expect(got.headers).toMatchObject({
      "content-type": "audio/wav",
      "content-disposition": "attachment; filename*=UTF-8''Snare%20big.wav",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
    });
    const own = relay.files.get("/importer/packages/pkg_1_____________________/files/2.wav");
    expect(got.bytes.equals(own ?? Buffer.alloc(0))).toBe(true);
    expect(importer.state.runs).toEqual([]);
    const again = await ask(port, { path, headers: NO_KEY });
    expect(again).toMatchObject({ status: 404, json: { error: "This address has expired." } });
  });

  test("[N26] names the file so that any browser reads it", async () => {
    const { offer, fetch, opened } = await serveDrags();
    expect(await offer(TOKEN)).toBe(200);
    expect((await fetch()).headers["content-disposition"]).toBe(
      "attachment; filename*=UTF-8''Kick%20%28%C3%A9%29%201.wav",
    );
    expect(opened).toEqual(["pkg_1_____________________ a/b"]);
  });

  test("[N26] works until 60 seconds have passed", async () => {
    const { offer, fetch, opened, timers } = await serveDrags();
    await offer(TOKEN);
    timers.advance(59_999);
    expect((await fetch()).status).toBe(200);
    await offer(TOKEN);
    timers.advance(60_000);
    expect((await fetch()).status).toBe(404);
    expect(opened).toHaveLength(1);
  });

  test("[N26] needs the panel's key to be made, and a token that nobody guesses", async () => {
    const { port, offer, fetch } = await serveDrags();
    const asked = { method: "POST", path: OFFER, body: { token: TOKEN } };
    for (const headers of [NO_KEY, { "x-soundferry-secret": "wrong" }]) {
      expect((await ask(port, { ...asked, headers })).status).toBe(403);
    }
    for (const short of ["", "1", TOKEN.slice(1), `${TOKEN}0`, 7, null, TOKEN.toUpperCase()]) {
      expect(await offer(short)).toBe(400);
    }
    expect((await fetch()).status).toBe(404);
  });
});

describe("attacks", () => {
  test("[N26] a wrong token opens nothing, and spends no other", async () => {
    const { offer, fetch, opened } = await serveDrags();
    await offer(TOKEN);
    for (const wrong of [TOKEN.replace("0b", "0c"), "", "%00", "..%2Fhello", TOKEN.slice(0, 35)]) {
      expect((await fetch({}, wrong)).status).toBe(404);
    }
    expect(opened).toEqual([]);
    expect((await fetch()).status).toBe(200);
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ["under another host's name (DNS rebinding)", { host: "evil.example" }],
    ["of another port", { host: "127.0.0.1:1" }],
    ["that reads it", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
    ["of a sandbox, without an origin", { origin: "null", "sec-fetch-site": "cross-site" }],
    ["with an image of it", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }],
    ["of another port, with a link to it", { "sec-fetch-site": "same-site" }],
  ])("[N26] a page %s gets 403, and the address still works for the panel", async (_, headers) => {
    const { offer, fetch, opened } = await serveDrags();
    await offer(TOKEN);
    const refused = await fetch(headers);
    expect(refused.status).toBe(403);
    expect(refused.headers["access-control-allow-origin"]).toBeUndefined();
    expect(opened).toEqual([]);
    expect((await fetch({ "sec-fetch-site": "same-origin" })).status).toBe(200);
  });

  test("[N26] another method doesn't spend it", async () => {
    const { port, offer, fetch } = await serveDrags();
    await offer(TOKEN);
    for (const method of ["HEAD", "POST", "PUT", "OPTIONS", "DELETE"]) {
      const path = `/control/drag/${TOKEN}`;
      expect((await ask(port, { method, path, headers: NO_KEY })).status).toBe(403);
    }
    expect((await fetch()).status).toBe(200);
  });

  test("[N26] two requests at once get one file", async () => {
    const { offer, fetch, opened } = await serveDrags();
    await offer(TOKEN);
    const answers = await Promise.all([fetch(), fetch(), fetch()]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(2);
    expect(opened).toHaveLength(1);
  });

  test("[N26] 1,000 unused addresses stay bounded, and the newest work", () => {
    const addresses = new DragAddresses(() => 0);
    const tokens = Array.from({ length: 1000 }, (_, index) => `${index}`);
    for (const token of tokens)
      addresses.offer(token, { packageId: "pkg_1_____________________", soundId: token });
    expect(addresses.count).toBeLessThan(100);
    expect(addresses.take("0")).toBeUndefined();
    expect(addresses.take("999")).toMatchObject({ soundId: "999" });
  });
});
