import { describe, expect, test } from "vitest";
import { HOUR_MS } from "../../../../relay/domain/context.ts";
import {
  type ClaimCall,
  claimPairing,
  issuePairingCode,
} from "../../../../relay/domain/pairing/pair.ts";
import {
  answerPairingRequest,
  readPairingRequest,
} from "../../../../relay/domain/pairing/pairing-consent.ts";
import { MINUTE } from "../../../contracts/relay/records/sample-records.ts";
import { claimCall, openUseCases, register, type UseCases } from "../use-cases.ts";
import { soon } from "../../../sim/soon.ts";

const WRONG = { code: "222222", app_name: "Guesser", app_id: "guesser" };

/** Use cases with the limits as they are set by default, and what was looked up. */
async function openAttacked(policy: Parameters<typeof openUseCases>[0] = {}) {
  const cases = await openUseCases({ pairingTriesPerMinute: 10, consentWaitMs: 1, ...policy });
  const { pairings } = cases.context;
  const lookedUp = { unseen: 0, withYes: new Set<string>() };
  const [claimCode, ask] = [pairings.claimCode.bind(pairings), pairings.askToPair.bind(pairings)];
  pairings.claimCode = async (claim) => {
    lookedUp.unseen += 1;
    return claimCode(claim);
  };
  pairings.askToPair = async (asking) => {
    lookedUp.withYes.add(asking.requestId);
    return ask(asking);
  };
  return Object.assign(cases, { lookedUp });
}

/** Returns the outcome of a claim: 200, or the status of the refusal. */
async function outcome(cases: UseCases, call: ClaimCall): Promise<number> {
  try {
    await claimPairing(cases.context, call);
    return 200;
  } catch (error) {
    if (error instanceof Error && "status" in error) return Number(error.status);
    throw error;
  }
}

function guess(cases: UseCases, address: string, body: unknown = WRONG): Promise<number> {
  return outcome(
    cases,
    claimCall(async () => body, address),
  );
}

/** Guesses from one address after another, and gives how many were looked up or refused as malformed. */
async function guessFrom(cases: UseCases, addresses: Iterable<string>, body?: unknown) {
  let counted = 0;
  for (const address of addresses) if ((await guess(cases, address, body)) !== 429) counted += 1;
  return counted;
}

function* addresses(count: number, addressOf: (index: number) => string): Iterable<string> {
  for (let index = 0; index < count; index += 1) yield addressOf(index);
}

const ofManyNetworks = (index: number) => `2001:${index.toString(16)}::1`;

describe("wrong tries of an hour", () => {
  test("[P6] are 10 a minute and 60 an hour of one address", async () => {
    await using cases = await openAttacked();
    let counted = 0;
    for (let minute = 0; minute < 60; minute += 1) {
      const tries = await guessFrom(
        cases,
        addresses(12, () => "192.0.2.1"),
      );
      expect(tries).toBeLessThanOrEqual(10);
      counted += tries;
      cases.clock.time += MINUTE - 1;
    }
    expect(counted).toBe(60);
    expect(await guess(cases, "192.0.2.2")).toBe(404);
    cases.clock.time += HOUR_MS;
    expect(await guess(cases, "192.0.2.1")).toBe(404);
  });

  test.each([
    ["a /64", 60, (index: number) => `2001:db8::${index.toString(16)}`],
    ["a /56", 120, (index: number) => `2001:db8:0:${(index % 256).toString(16)}::1`],
    ["a /48", 240, (index: number) => `2001:db8:0:${index.toString(16)}::1`],
    ["a /24", 240, (index: number) => `192.0.2.${index % 256}`],
    ["a /32", 300, (index: number) => `2001:db8:${index.toString(16)}::1`],
    ["the whole relay", 600, ofManyNetworks],
  ])("[P6] of %s are at most %i", async (_, most, addressOf) => {
    await using cases = await openAttacked({ pairingTriesPerMinute: 1000 });
    // Malformed ones count, too.
    expect(await guessFrom(cases, addresses(20, addressOf), {})).toBe(20);
    await guessFrom(cases, addresses(700, addressOf));
    expect(cases.lookedUp.unseen).toBe(most - 20);
  });

  test("[P6] are not exceeded by many at once", async () => {
    await using cases = await openAttacked();
    await Promise.all(Array.from({ length: 200 }, () => guess(cases, "192.0.2.1")));
    expect(cases.lookedUp.unseen).toBe(10);
  });

  test("[P6] don't count right ones", async () => {
    await using cases = await openAttacked({
      pairingTriesPerMinute: 1,
      pairingTries: { perAddress: 1, per56: 1, perNetwork: 1, ofAll: 1 },
    });
    const { deviceId } = await register(cases);
    for (let time = 0; time < 5; time += 1) {
      const { code } = await issuePairingCode(cases.context, deviceId);
      expect(await guess(cases, "192.0.2.1", { ...WRONG, code })).toBe(200);
    }
    expect([await guess(cases, "192.0.2.1"), await guess(cases, "192.0.2.1")]).toEqual([404, 429]);
  });

  test("[P6] that are over are refused before the body is read", async () => {
    await using cases = await openAttacked({ pairingTriesPerMinute: 1 });
    await guess(cases, "192.0.2.1");
    const read = () => Promise.reject(new Error("The body was read."));
    expect(await outcome(cases, claimCall(read, "192.0.2.1"))).toBe(429);
  });
});

describe("A1: guessing", () => {
  test("[P6] from a whole /48 looks up 240 codes an hour, and others pair as ever", async () => {
    await using cases = await openAttacked();
    const { deviceId } = await register(cases);
    await guessFrom(
      cases,
      addresses(4000, (index) => `2001:db8:0:${index.toString(16)}::1`),
    );
    expect(cases.lookedUp).toEqual({ unseen: 240, withYes: new Set() });
    const { code } = await issuePairingCode(cases.context, deviceId);
    expect(await guess(cases, "198.51.100.7", { ...WRONG, code })).toBe(200);
  });

  test("[P6][P12] from everywhere looks up 600 unseen and 1,800 with a yes; a yes still pairs", async () => {
    await using cases = await openAttacked();
    const { context, lookedUp } = cases;
    const { deviceId } = await register(cases);
    // Five networks spend the total, and can't spend what is left for the others.
    const ofFew = (index: number) => `2001:db8:${index % 5}:${(index >> 3).toString(16)}::1`;
    await guessFrom(cases, addresses(1000, ofFew));
    expect(lookedUp.unseen).toBe(300);
    expect(lookedUp.withYes.size).toBe(5 * 24);
    // Others may have the other half.
    expect(await guess(cases, "198.51.100.1")).toBe(404);
    await guessFrom(cases, addresses(600, ofManyNetworks));
    expect(lookedUp.unseen).toBe(600);

    Object.assign(context.policy, { consentWaitMs: 60_000 });
    const { code } = await issuePairingCode(context, deviceId);
    const honest = guess(cases, "198.51.100.7", { ...WRONG, app_name: "Looper", code });
    await soon(async () => (await readPairingRequest(context, deviceId)).request?.app_name).toBe(
      "Looper",
    );
    const { request } = await readPairingRequest(context, deviceId);
    const reply = { request_id: request?.request_id, answer: "allow" };
    await answerPairingRequest(context, deviceId, reply);
    expect(await honest).toBe(200);

    Object.assign(context.policy, { consentWaitMs: 1 });
    const { unseen } = lookedUp;
    await guessFrom(cases, addresses(2000, ofManyNetworks));
    expect(lookedUp.withYes.size).toBeLessThanOrEqual(1801);
    expect(lookedUp.unseen).toBe(unseen);
    cases.clock.time += HOUR_MS;
    expect(await guess(cases, "198.51.100.8")).toBe(404);
    expect(lookedUp.unseen).toBe(unseen + 1);
  });
});

describe("A1: guessing from one wide network", () => {
  test.each([
    ["/40", 180, (index: number) => `2a00:db8:${(index % 256).toString(16)}:${index >> 8}::1`],
    ["/32", 900, (index: number) => `2a00:db8:${index.toString(16)}::1`],
    ["/16", 900, (index: number) => `203.0.${index % 256}.${(index >> 8) + 1}`],
  ])("[L13][P12] a %s can't keep others from pairing, without a yes", async (_, withYes, ofOne) => {
    await using cases = await openAttacked();
    const { deviceId } = await register(cases);
    await guessFrom(cases, addresses(1600, ofOne));
    expect(cases.lookedUp.unseen).toBe(300);
    expect(cases.lookedUp.withYes.size).toBe(withYes);
    const { code } = await issuePairingCode(cases.context, deviceId);
    expect(await guess(cases, "198.51.100.7", { ...WRONG, code })).toBe(200);
    expect(await guess(cases, ofOne(4001))).toBe(429);
  });
});

describe("claims of the relay's own computer", () => {
  const own = (body: unknown): ClaimCall => ({
    ...claimCall(async () => body),
    claimant: { address: "127.0.0.1", isInLan: false, isLocal: true, isOwn: true },
  });

  test("[P6] have tries of their own whatever others guess, and a right one gives its try back", async () => {
    await using cases = await openAttacked();
    const { deviceId } = await register(cases);
    // A page of somebody else calls from this computer, too.
    for (let count = 0; count < 10; count += 1) expect(await guess(cases, "127.0.0.1")).toBe(404);
    for (let count = 0; count < 9; count += 1) expect(await outcome(cases, own(WRONG))).toBe(404);
    for (let count = 0; count < 2; count += 1) {
      const { code } = await issuePairingCode(cases.context, deviceId);
      expect(await outcome(cases, own({ ...WRONG, code, app_id: `app-${count}` }))).toBe(200);
    }
    expect(await outcome(cases, own(WRONG))).toBe(404);
    expect(await outcome(cases, own(WRONG))).toBe(429);
  });

  test("[P12] need a yes where each pairing does", async () => {
    await using cases = await openAttacked({ asksForEachPairing: true });
    const { deviceId } = await register(cases);
    const { code } = await issuePairingCode(cases.context, deviceId);
    expect(await outcome(cases, own({ ...WRONG, code }))).toBe(404);
    expect(cases.lookedUp).toMatchObject({ unseen: 0, withYes: { size: 1 } });
  });
});
