import { expect, test } from "vitest";
import { fetchAnswer } from "../../../sim/world.ts";
import { soon } from "../../../sim/soon.ts";
import { type LanRelay, relayInLan } from "./lan-relay.ts";
import { claimWithoutYes } from "./pair-attack.ts";

function claim(url: string, code: string, headers: Record<string, string> = {}) {
  const body = { code, app_name: "Ada's phone", app_id: "phone" };
  return fetchAnswer(`${url}/pair/claim`, { method: "POST", body, headers });
}

async function withCode(settings: Record<string, string> = {}, consentWaitMs = 20_000) {
  const made = await relayInLan(settings, { consentWaitMs });
  const { token } = await made.relay.register();
  const { json } = await made.relay.call("POST", "/importer/pairing-code", { token });
  return { ...made, token, code: String(json.code) };
}

async function answerAsked(
  { relay, token }: Pick<LanRelay, "relay"> & { readonly token: string },
  answer: "allow" | "deny",
) {
  const read = async () => (await relay.call("GET", "/importer/pairing-request", { token })).json;
  await soon(async () => (await read()).request?.app_name).toBe("Ada's phone");
  const { request_id, network } = (await read()).request;
  await relay.call("POST", "/importer/pairing-request", { token, body: { request_id, answer } });
  return network;
}

test("[LAN5] 0 pairings without a yes, with the right code, at once, repeated and disguised", async () => {
  await claimWithoutYes(192);
});

test("[LAN5] a right code pairs after a yes, each time, and is not this computer's own", async () => {
  const made = await withCode();
  for (const code of [made.code, undefined]) {
    const again = () => made.relay.call("POST", "/importer/pairing-code", { token: made.token });
    const claiming = claim(made.url, code ?? (await again()).json.code);
    expect(await answerAsked(made, "allow")).toBe("127.0.0.0/24");
    expect((await claiming).status).toBe(200);
  }
  const { json } = await made.relay.call("GET", "/importer/apps", { token: made.token });
  expect(json.apps).toMatchObject([{ app_name: "Ada's phone" }]);
});

test("[LAN5] a no is a wrong code, and ends the code", async () => {
  const made = await withCode({}, 500);
  const claiming = claim(made.url, made.code);
  await answerAsked(made, "deny");
  expect((await claiming).status).toBe(404);
  expect((await claim(made.relay.url, made.code)).status).toBe(404);
});

test("[LAN5] programs on this computer pair at its own address as before", async () => {
  const { relay, code } = await withCode();
  expect((await claim(relay.url, code)).status).toBe(200);
});

test("[LAN5] wrong tries cost as they do elsewhere, and have no part of this computer's own tries", async () => {
  const settings = { SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "2" };
  const { relay, url, code } = await withCode(settings, 2);
  const statuses = [];
  for (let count = 0; count < 3; count += 1) {
    statuses.push((await claim(url, "222222", { "x-forwarded-for": `10.0.${count}.1` })).status);
  }
  expect(statuses).toEqual([404, 404, 429]);
  expect((await claim(relay.url, code)).status).toBe(200);
});
