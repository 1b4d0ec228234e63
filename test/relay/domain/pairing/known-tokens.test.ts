import { describe, expect, test } from "vitest";
import { type KnownApp, KnownTokens } from "../../../../relay/domain/pairing/known-tokens.ts";
import { makeAppToken, makeImporterToken } from "../../../../relay/domain/pairing/tokens.ts";
import { systemDigest, systemRandomBytes } from "../../../../relay/storage/system.ts";
import { SetClock } from "../../set-clock.ts";
import { T0 } from "../../../contracts/relay/records/sample-records.ts";

/** Records in which every token is good until it is revoked; counts how often it is asked. */
class CountingRecords {
  readonly revoked = new Set<string>();
  lookups = 0;
  /** Runs after a record was read and before the one who asked gets it. */
  meanwhile: () => void = () => undefined;

  async findApp(tokenHash: string) {
    return this.#find(tokenHash, {
      pairingId: `pairing of ${tokenHash}`,
      deviceId: "device-1",
      deviceName: "Studio",
      appId: "app-1",
      appName: "Looper",
      pairedAt: T0,
      lastSeenAt: T0,
    });
  }

  async findDevice(tokenHash: string) {
    return this.#find(tokenHash, {
      deviceId: `device of ${tokenHash}`,
      deviceName: "Studio",
      registeredAt: T0,
      lastSeenAt: T0,
    });
  }

  #find<Found>(tokenHash: string, found: Found): Found | undefined {
    this.lookups += 1;
    const answer = this.revoked.has(tokenHash) ? undefined : found;
    this.meanwhile();
    return answer;
  }
}

/** Apps and importers are known in the same way, each by tokens of their own kind. */
const KINDS = [
  {
    who: "an app",
    make: () => makeAppToken(systemRandomBytes),
    ask: (known: KnownTokens, token: string) => known.app(token),
    code: "TOKEN_UNKNOWN",
    seen: (known: KnownTokens) => takeSeen(known).pairings,
    seenAs: (token: string) => `pairing of ${systemDigest.ofText(token)}`,
  },
  {
    who: "an importer",
    make: () => makeImporterToken(systemRandomBytes),
    ask: (known: KnownTokens, token: string) => known.device(token),
    code: "IMPORTER_UNKNOWN",
    seen: (known: KnownTokens) => takeSeen(known).devices,
    seenAs: (token: string) => `device of ${systemDigest.ofText(token)}`,
  },
];

function takeSeen(known: KnownTokens) {
  const seen = known.seen();
  known.forgetSeen(seen);
  return seen;
}

function open() {
  const clock = new SetClock();
  const records = new CountingRecords();
  return { clock, records, known: new KnownTokens(records, systemDigest, clock) };
}

describe.each(KINDS)("the token of $who", ({ make, ask, code, seen, seenAs }) => {
  test("[A2] is looked up by its SHA-256, and refused where it is unknown", async () => {
    const { records, known } = open();
    const token = make();
    expect(await ask(known, token)).toMatchObject({ deviceName: "Studio" });
    records.revoked.add(systemDigest.ofText(token));
    known.forget();
    await expect(ask(known, token)).rejects.toMatchObject({ code, status: 401 });
  });

  test("[A2] is refused without a lookup where its form is wrong", async () => {
    const { records, known } = open();
    const other = KINDS.find(({ code: another }) => another !== code)?.make() ?? "";
    for (const wrong of ["", make().slice(1), `${make()}x`, other]) {
      await expect(ask(known, wrong)).rejects.toMatchObject({ code, status: 401 });
    }
    expect(records.lookups).toBe(0);
  });

  test("[A3][J7] is remembered for half a second of the relay's time, so for less than a second", async () => {
    const { clock, records, known } = open();
    const token = make();
    const first = await ask(known, token);
    clock.time += 499;
    expect(await ask(known, token)).toEqual(first);
    expect(records.lookups).toBe(1);
    records.revoked.add(systemDigest.ofText(token));
    clock.time += 1;
    await expect(ask(known, token)).rejects.toMatchObject({ code });
    expect(records.lookups).toBe(2);
  });

  test("[A3] is refused at once after it was revoked here", async () => {
    const { records, known } = open();
    const token = make();
    await ask(known, token);
    records.revoked.add(systemDigest.ofText(token));
    known.forget();
    await expect(ask(known, token)).rejects.toMatchObject({ code });
  });

  test("[A3] that is revoked while it is looked up is not remembered", async () => {
    const { records, known } = open();
    const token = make();
    records.meanwhile = () => {
      records.revoked.add(systemDigest.ofText(token));
      known.forget();
    };
    // Read before the revocation: this one call may still pass.
    await ask(known, token);
    await expect(ask(known, token)).rejects.toMatchObject({ code });
  });

  test("is one of at most 10,000 that are remembered", async () => {
    const { records, known } = open();
    const tokens = Array.from({ length: 10_000 }, make);
    const [first = ""] = tokens;
    for (const token of tokens) await ask(known, token);
    await ask(known, first);
    expect(records.lookups).toBe(10_000);
    await ask(known, make());
    await ask(known, first);
    expect(records.lookups).toBe(10_002);
  });

  test("[P8] says when its owner was seen, at each call and only once", async () => {
    const { clock, known } = open();
    const token = make();
    await ask(known, token);
    expect([...seen(known)]).toEqual([[seenAs(token), T0]]);
    expect([...seen(known)]).toEqual([]);
    clock.time += 500;
    await ask(known, token);
    expect([...seen(known)]).toEqual([[seenAs(token), T0 + 500]]);
  });

  test("[P8] still says that its owner was seen while an earlier time was stored", async () => {
    const { clock, known } = open();
    const token = make();
    await ask(known, token);
    const storing = known.seen();
    clock.time += 100;
    await ask(known, token);
    known.forgetSeen(storing);
    expect([...seen(known)]).toEqual([[seenAs(token), T0 + 100]]);
  });
});

test("[A3] an app was looked up just now for half a second, unless a token was revoked since", async () => {
  const { clock, known } = open();
  const token = makeAppToken(systemRandomBytes);
  const app = await known.app(token);
  clock.time += 499;
  expect(known.isJustKnown(await known.app(token))).toBe(true);
  clock.time += 1;
  expect(known.isJustKnown(app)).toBe(false);
  const again = await known.app(token);
  expect(known.isJustKnown(again)).toBe(true);
  known.forget();
  expect(known.isJustKnown(again)).toBe(false);
});

test("[A3] an app whose look-up a revocation overtook was not looked up just now", async () => {
  const { records, known } = open();
  records.meanwhile = () => known.forget();
  expect(known.isJustKnown(await known.app(makeAppToken(systemRandomBytes)))).toBe(false);
});

test("[U3] whether an app is still paired is asked of the records, not of what is remembered", async () => {
  const { records, known } = open();
  const app: KnownApp = await known.app(makeAppToken(systemRandomBytes));
  expect(await known.isStillPaired(app)).toBe(true);
  records.revoked.add(app.tokenHash);
  expect(await known.isStillPaired(app)).toBe(false);
});
