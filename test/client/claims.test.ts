import { expect, test } from "vitest";
import { MemoryTokenStore } from "../../client/pairing/token-store.ts";
import { SoundferryClient } from "../../client/soundferry-client.ts";
import { RunningRelay } from "../relay/running-relay.ts";
import { instantPace, pairedClient, type StandInAnswer, startStandIn } from "./stand-in-relay.ts";

const APP = { name: "Looper", id: "a-1" };
/** A body that answers a claim as well as `GET /app/me`. */
const PAIRED = {
  app_token: "sfa_secret",
  device_name: "Studio",
  app_name: "Looper",
  paired_at: "2026-11-21T00:00:00.000Z",
};

test("[P3] sends a code without what people type around it, and other text as it is", async () => {
  await using relay = await startStandIn(() => ({ body: PAIRED }));
  for (const code of ["“ｋ７ｍ–q2x”", "K7M Q20"]) await pairedClient(relay.url).pair(code, APP);
  const sent = relay.seen.map(({ body }) => JSON.parse(String(body)).code);
  expect(sent).toEqual(["K7MQ2X", "K7M Q20"]);
});

test.each<[string, StandInAnswer]>([
  ["cut off", "hang up"],
  ["a gateway's", { status: 502, body: "<html>" }],
])("[P13] repeats a claim whose answer is %s, with the same key", async (_, lost) => {
  await using relay = await startStandIn((_request, count) =>
    [2, 3].includes(count) ? lost : { body: PAIRED },
  );
  const pace = instantPace();
  const client = pairedClient(relay.url, { app: APP, pace });
  await client.me();
  expect(await client.pair("K7M Q2X")).toEqual({ device_name: "Studio" });
  expect(pace.waits).toEqual([250, 500]);
  await client.pair("K7M Q2X");
  const [, first, second, third, other] = relay.seen.map(
    ({ headers }) => headers["idempotency-key"],
  );
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect([second, third]).toEqual([first, first]);
  expect(other).not.toBe(first);
});

test("[P13] pairing again with the same code repeats a claim that had no answer, also by a new client", async () => {
  const lost = new Set([1, 2, 3, 4, 5]);
  await using relay = await startStandIn((_request, count) =>
    lost.has(count) ? "hang up" : { body: PAIRED },
  );
  const pair = (code: string) =>
    pairedClient(relay.url, { app: APP, pace: instantPace() }).pair(code);
  await expect(pair("K7M Q2X")).rejects.toThrow("Check the network.");
  for (const code of ["222222", "k7mq2x", "K7M Q2X"]) await pair(code);
  const [first, ...others] = relay.seen.map(({ headers }) => headers["idempotency-key"]).slice(4);
  expect(others.map((key) => key === first)).toEqual([false, true, false]);
});

test("[P13] gives up on a claim after a few seconds, and at once on a refusal", async () => {
  let answer: StandInAnswer = "hang up";
  await using relay = await startStandIn(() => answer);
  const pace = instantPace();
  const client = pairedClient(relay.url, { app: APP, pace });
  await expect(client.pair("K7M Q2X")).rejects.toThrow("Check the network.");
  expect(pace.waits).toEqual([250, 500, 1000, 2000]);
  answer = { body: PAIRED };
  await client.me();
  relay.seen.length = 0;
  for (const status of [404, 429, 503]) {
    answer = { status, body: { error: "No.", code: "NO" }, headers: { "retry-after": "2" } };
    await expect(client.pair("K7M Q2X")).rejects.toMatchObject({ status });
  }
  expect(relay.seen).toHaveLength(3);
});

test("[P13] an app is paired once, though the answer to its claim was lost", async () => {
  await using relay = await RunningRelay.start();
  const importer = await relay.register();
  const { json } = await relay.call("POST", "/importer/pairing-code", { token: importer.token });
  let isLost = true;
  const losing: typeof fetch = async (...request) => {
    const answer = await fetch(...request);
    if (!isLost) return answer;
    isLost = false;
    throw new TypeError("fetch failed");
  };
  const tokenStore = new MemoryTokenStore();
  const client = new SoundferryClient({ relayUrl: relay.url, tokenStore, fetch: losing });
  await client.pair(json.code, APP);
  expect(await client.me()).toMatchObject({ device_name: "Studio" });
  const { apps } = (await relay.call("GET", "/importer/apps", { token: importer.token })).json;
  expect(apps).toHaveLength(1);
});
