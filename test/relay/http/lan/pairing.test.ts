import { expect, test } from "vitest";
import { answerAsked, claim, withCode } from "./claims.ts";
import { claimWithoutYes } from "./pair-attack.ts";

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

test("[LAN5] a no ends the code", async () => {
  const made = await withCode();
  const hangUp = new AbortController();
  const claiming = claim(made.url, made.code, {}, hangUp.signal);
  await answerAsked(made, "deny");
  expect((await claim(made.relay.url, made.code)).status).toBe(404);
  hangUp.abort();
  await expect(claiming).rejects.toThrow("aborted");
});

test("[LAN5] programs on this computer pair at its own address as before", async () => {
  const { relay, code } = await withCode();
  expect((await claim(relay.url, code)).status).toBe(200);
});

test("[LAN5] wrong tries cost as they do elsewhere, and have no part of this computer's own tries", async () => {
  const settings = {
    SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "2",
    SOUNDFERRY_TRUST_PROXY: "127.0.0.0/8",
  };
  const { relay, url, code } = await withCode(settings, 2);
  const statuses = [];
  for (let count = 0; count < 3; count += 1) {
    statuses.push((await claim(url, "222222", { "x-forwarded-for": `10.0.${count}.1` })).status);
  }
  expect(statuses).toEqual([404, 404, 429]);
  expect((await claim(relay.url, code)).status).toBe(200);
});
