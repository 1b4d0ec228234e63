import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { RunningRelay } from "../running-relay.ts";
import { rawCall } from "./raw-call.ts";
import { soon } from "../../sim/soon.ts";

const OF_A_MINUTE = { SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "10" };
const THROUGH_A_PROXY = { SOUNDFERRY_TRUST_PROXY: "127.0.0.0/8" };

function claim(relay: RunningRelay, code: string, headers: Record<string, string> = {}) {
  const body = { code, app_name: "Looper", app_id: "looper" };
  return relay.call("POST", "/pair/claim", { body, headers });
}

async function codeOf(relay: RunningRelay, token: string): Promise<string> {
  return (await relay.call("POST", "/importer/pairing-code", { token })).json.code;
}

/** Spends the tries of all, from networks that the claims of the tests don't come from. */
async function spendAll(relay: RunningRelay, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await claim(relay, "222222", { "x-forwarded-for": `${20 + index}.0.113.1` });
  }
}

describe("A8: a web page that posts wrong claims to the relay on this computer", () => {
  const evil = { origin: "https://evil.example" };

  test("[P11] doesn't keep the user's own app from pairing, nor the relay's own page", async () => {
    await using relay = await RunningRelay.start(OF_A_MINUTE);
    const { token } = await relay.register();
    const statuses = [];
    for (let count = 0; count < 11; count += 1) {
      statuses.push((await claim(relay, "222222", evil)).status);
    }
    expect(statuses).toEqual([...Array(10).fill(404), 429]);
    expect((await claim(relay, await codeOf(relay, token))).status).toBe(200);
    const page = { origin: relay.url };
    expect((await claim(relay, await codeOf(relay, token), page)).status).toBe(200);
    expect((await claim(relay, await codeOf(relay, token), evil)).status).toBe(429);
  });

  test("[P11] counts like any other where its origin only looks like the relay's own", async () => {
    await using relay = await RunningRelay.start({ SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "1" });
    const { port } = new URL(relay.url);
    const origins = ["null", "nonsense", `http://evil.example:${port}`, "http://127.0.0.1:1"];
    expect((await claim(relay, "222222", evil)).status).toBe(404);
    for (const origin of origins) {
      expect((await claim(relay, "222222", { origin })).status, origin).toBe(429);
    }
    expect((await claim(relay, "222222")).status).toBe(404);
    expect((await claim(relay, "222222")).status).toBe(429);
  });

  test("[P11] calls through a proxy on this computer are nobody's own, trusted or not", async () => {
    await using relay = await RunningRelay.start({ SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "1" });
    const forwarded = { "x-forwarded-for": "203.0.113.1" };
    expect((await claim(relay, "222222", forwarded)).status).toBe(404);
    expect((await claim(relay, "222222", forwarded)).status).toBe(429);
    expect((await claim(relay, "222222")).status).toBe(404);
  });
});

describe("while somebody guesses codes", () => {
  const ATTACKED = { ...THROUGH_A_PROXY, SOUNDFERRY_PAIRING_TRIES_OF_ALL: "5" };

  test("[P12] the importer hears of a claim, reads it, and its yes pairs the app", async () => {
    await using relay = await RunningRelay.start(ATTACKED, { consentWaitMs: 20_000 });
    const { token } = await relay.register();
    const code = await codeOf(relay, token);
    const authorization = `Bearer ${token}`;
    const socket = new WebSocket(`${relay.url.replace("http", "ws")}/importer/socket`, {
      headers: { authorization },
    });
    await new Promise((resolve) => socket.once("open", resolve));
    const heard = new Promise((resolve) =>
      socket.once("message", (data: Buffer) => resolve(JSON.parse(data.toString("utf8")))),
    );
    await spendAll(relay, 5);
    const claiming = claim(relay, code, { "x-forwarded-for": "198.51.100.7" });
    expect(await heard).toEqual({ type: "pairing.asked" });
    const read = await relay.call("GET", "/importer/pairing-request", { token });
    expect(read.json.request).toMatchObject({
      app_name: "Looper",
      network: "198.51.100.0/24",
    });
    const { request_id } = read.json.request;
    const body = { request_id, answer: "allow" };
    const answered = await relay.call("POST", "/importer/pairing-request", { token, body });
    expect([answered.status, answered.json]).toEqual([200, {}]);
    expect((await claiming).status).toBe(200);
    const again = await relay.call("POST", "/importer/pairing-request", { token, body });
    expect([again.status, again.json.code]).toEqual([404, "PAIRING_REQUEST_OVER"]);
    const wrong = { request_id, answer: "perhaps" };
    const refused = await relay.call("POST", "/importer/pairing-request", { token, body: wrong });
    expect([refused.status, refused.json.code]).toEqual([422, "PAIRING_ANSWER_WRONG"]);
    socket.terminate();
  });

  test("[P12] nobody pairs unseen, and the right code's answer is a wrong one's", async () => {
    await using relay = await RunningRelay.start(ATTACKED, { consentWaitMs: 100 });
    const { token } = await relay.register();
    const code = await codeOf(relay, token);
    await spendAll(relay, 5);
    const at = (address: string) => ({ "x-forwarded-for": address });
    const right = await claim(relay, code, at("198.51.100.7"));
    const wrong = await claim(relay, "222222", at("198.51.101.7"));
    expect([right.status, right.text]).toEqual([404, wrong.text]);
    expect((await relay.call("GET", "/importer/apps", { token })).json.apps).toEqual([]);
    // What this computer's own programs claim isn't part of an attack from the network.
    expect((await claim(relay, code)).status).toBe(200);
  });

  test("[P12] a caller that hangs up frees its place", async () => {
    await using relay = await RunningRelay.start(ATTACKED, { consentWaitMs: 20_000 });
    await spendAll(relay, 5);
    const hangUp = new AbortController();
    const { admission } = relay.relay.context;
    const waiting = fetch(`${relay.url}/pair/claim`, {
      method: "POST",
      body: JSON.stringify({ code: "222222", app_name: "A", app_id: "1" }),
      headers: { "x-forwarded-for": "198.51.100.7" },
      signal: hangUp.signal,
    });
    await soon(() => admission.budget("claims").used).toBe(1);
    hangUp.abort();
    await expect(waiting).rejects.toThrow("aborted");
    await soon(() => admission.budget("claims").used).toBe(0);
  });

  test("[P12] SOUNDFERRY_PAIRING_CONSENT=always asks also without an attack, also on this computer", async () => {
    await using relay = await RunningRelay.start(
      { SOUNDFERRY_PAIRING_CONSENT: "always" },
      { consentWaitMs: 20_000 },
    );
    const { token } = await relay.register();
    const claiming = claim(relay, await codeOf(relay, token));
    const read = () => relay.call("GET", "/importer/pairing-request", { token });
    await soon(async () => (await read()).json.request?.network).toBe("this-computer");
    const { request_id } = (await read()).json.request;
    const body = { request_id, answer: "allow" };
    await relay.call("POST", "/importer/pairing-request", { token, body });
    expect((await claiming).status).toBe(200);
  });
});

describe("answers", () => {
  test("[SEC1] of claims are never stored, right, wrong and refused ones", async () => {
    await using relay = await RunningRelay.start({ SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "2" });
    const { token } = await relay.register();
    const answers = [await claim(relay, await codeOf(relay, token))];
    for (let count = 0; count < 3; count += 1) answers.push(await claim(relay, "222222"));
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 404, 429]);
    for (const { headers } of answers) expect(headers.get("cache-control")).toBe("no-store");
  });

  test("[SEC1] of claims are never stored, also where another rule refuses them", async () => {
    await using relay = await RunningRelay.start(THROUGH_A_PROXY);
    const refused = [
      await relay.call("POST", "/pair/claim", { body: "{" }),
      await relay.call("GET", "/pair/claim"),
      await relay.call("POST", "/pair/%63laim"),
    ];
    await using direct = await RunningRelay.start({ SOUNDFERRY_STOP_DELAY_S: "60" });
    const evil = await rawCall(
      direct.url,
      "POST /pair/claim HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    );
    expect(evil).toMatch(/^HTTP\/1.1 421 [^]*cache-control: no-store/i);
    const hurry = new AbortController();
    const drained = direct.relay.drain(hurry.signal);
    refused.push(await claim(direct, "222222"));
    hurry.abort();
    await drained;
    expect(refused.map(({ status }) => status)).toEqual([400, 405, 400, 503]);
    for (const { headers } of refused) expect(headers.get("cache-control")).toBe("no-store");
  });

  test("[P11] of the relay are taken for what they say they are", async () => {
    await using relay = await RunningRelay.start();
    for (const [method, path] of [
      ["GET", "/healthz"],
      ["GET", "/manifest.schema.json"],
      ["GET", "/docs"],
      ["GET", "/importer/packages"],
      ["POST", "/pair/claim"],
      ["DELETE", "/healthz"],
      ["OPTIONS", "/packages"],
      ["GET", "/nothing"],
    ] as const) {
      const { headers } = await relay.call(method, path);
      expect(headers.get("x-content-type-options"), `${method} ${path}`).toBe("nosniff");
    }
  });
});
