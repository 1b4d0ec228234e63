import { expect, onTestFinished, test } from "vitest";
import type { Importer } from "../../addon/importer.ts";
import { allowOwnApps } from "../../cli/commands/up/fixed-code.ts";
import { connected } from "../addon/named-relays.ts";
import { until } from "../sim/until.ts";
import { RunningRelay } from "../relay/running-relay.ts";

/** A relay that asks for each pairing, and a connected importer with a code. */
async function setUp() {
  const relay = await RunningRelay.start(
    { SOUNDFERRY_PAIRING_CONSENT: "always", SOUNDFERRY_TRUST_PROXY: "127.0.0.0/8" },
    { consentWaitMs: 2000 },
  );
  onTestFinished(() => relay[Symbol.asyncDispose]());
  const { importer } = await connected(relay.url);
  const { code } = await importer.codes.open({ isFresh: false });
  const claim = (address?: string) =>
    relay.call("POST", "/pair/claim", {
      body: { code, app_name: "Looper", app_id: "looper" },
      headers: address === undefined ? {} : { "x-forwarded-for": address },
    });
  return { relay, importer, claim };
}

async function asked(importer: Importer): Promise<string> {
  await until(() => (importer.state.pairing.request ?? null) !== null);
  return importer.state.pairing.request?.request_id ?? "";
}

test("[P12] an importer hears of the app that asks; its yes pairs it", async () => {
  const { importer, claim } = await setUp();
  const claiming = claim("203.0.113.7");
  const request_id = await asked(importer);
  expect(await importer.pairingRequest()).toMatchObject({
    request: { request_id, app_name: "Looper", network: "203.0.113.0/24" },
  });
  await importer.answerPairing({ request_id, answer: "allow" });
  expect((await claiming).status).toBe(200);
  await until(() => importer.state.pairing.usedBy !== null);
  expect(importer.state.pairing).toMatchObject({ code: null, request: null });
});

test("[P12] a no ends the code, also for the importer, until there is a new one", async () => {
  const { importer, claim } = await setUp();
  const claiming = claim("203.0.113.7");
  const request_id = await asked(importer);
  await importer.answerPairing({ request_id, answer: "deny" });
  expect(importer.state.pairing).toMatchObject({ code: null, request: null, ended: "denied" });
  await expect(importer.answerPairing({ request_id, answer: "allow" })).rejects.toThrow(
    "This request is over.",
  );
  expect((await claiming).status).toBe(404);
  await importer.codes.open({ isFresh: false });
  expect(importer.state.pairing).toMatchObject({ ended: null });
});

test("[P12] a code that two addresses claim is over, and the importer says why", async () => {
  const { importer, claim } = await setUp();
  const claims = [claim("203.0.113.7")];
  await asked(importer);
  claims.push(claim("198.51.100.7"));
  await until(() => importer.state.pairing.ended === "second-address");
  expect(importer.state.pairing).toMatchObject({ code: null, request: null });
  expect((await Promise.all(claims)).map(({ status }) => status)).toEqual([404, 404]);
});

test("[P12] a prompt goes with its code", async () => {
  const { relay, importer, claim } = await setUp();
  const claiming = claim("203.0.113.7");
  await asked(importer);
  relay.clock.pass(601);
  expect(await importer.pairingRequest()).toEqual({ request: null });
  expect(importer.state.pairing.request).toBeNull();
  expect((await claiming).status).toBe(404);
});

test("[P12] where `up --code` has set the code, apps on this computer are allowed, others are not", async () => {
  const { importer, claim } = await setUp();
  const said: string[] = [];
  using _ = allowOwnApps(importer, { say: (text) => said.push(text) });
  expect((await claim("203.0.113.7")).status).toBe(404);
  await importer.codes.hide();
  expect(said).toEqual([]);
});

test("[P12] where `up --code` has set the code, an app on this computer pairs unasked", async () => {
  const { importer, claim } = await setUp();
  using _ = allowOwnApps(importer, { say: () => undefined });
  expect((await claim()).status).toBe(200);
});
