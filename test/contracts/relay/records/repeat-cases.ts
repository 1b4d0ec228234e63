import assert from "node:assert/strict";
import type { ClaimRepeat, PairingRecords } from "../../../../relay/domain/ports.ts";
import { claim, putCode } from "./code-cases.ts";
import { one, type OpenedRecords, type RecordsCase, two } from "./records-case.ts";
import { DAY, MINUTE, register, T0 } from "./sample-records.ts";

/** The promises of `PairingRecords.repeatClaim` (rule P13). */
export const REPEAT_CASES: readonly RecordsCase[] = [
  repeating(
    "a repeated claim replaces the token, and nothing else",
    async ({ pairings }, paired) => {
      const repeated = await repeat(pairings);
      assert.deepEqual(repeated, paired);
      assert.equal(await pairings.findApp("first"), undefined, "The first token is valid.");
      assert.deepEqual(await pairings.findApp("second"), paired);
      assert.ok(await repeat(pairings, { tokenHash: "third", now: T0 + MINUTE - 1 }));
      assert.equal(await pairings.findApp("second"), undefined);
      const { deviceName: _, ...pairing } = paired;
      const last = await pairings.unpair({ tokenHash: "third" }, T0);
      assert.deepEqual(last, { ended: pairing, doomed: [] });
    },
  ),

  repeating("a claim is repeated with its own hash, and only in time", async ({ pairings }) => {
    const wrong: Partial<ClaimRepeat>[] = [
      { repeatHash: "another" },
      { repeatHash: "" },
      { now: T0 + MINUTE, latestEnd: T0 + DAY },
      { latestEnd: T0 + MINUTE - 1 },
      { arrivedAt: T0 - 1 },
    ];
    for (const other of wrong) {
      const repeated = await repeat(pairings, other);
      assert.equal(repeated, undefined, `${JSON.stringify(other)} has repeated the claim.`);
    }
    assert.ok(await pairings.findApp("first"));
  }),

  repeating("a call that was overtaken takes no token from a later one", async ({ pairings }) => {
    assert.ok(await repeat(pairings, { arrivedAt: T0 + 2 }));
    const overtaken = await repeat(pairings, { tokenHash: "late", arrivedAt: T0 + 1 });
    assert.equal(overtaken, undefined);
    assert.ok(await pairings.findApp("second"));
  }),

  repeating("a claim without a hash is never repeated", async ({ pairings }) => {
    await putCode(pairings, "device-1", "code");
    assert.ok(await claim(pairings, "code", "plain"));
    assert.ok(await repeat(pairings));
    assert.ok(await pairings.findApp("plain"), "A repeat has replaced another token.");
  }),

  ...endCases(),

  repeating("of many repeats at once one token is left", async ({ pairings }) => {
    const tokens = Array.from({ length: 10 }, (_, index) => `token ${index}`);
    await Promise.all(tokens.map((tokenHash) => repeat(pairings, { tokenHash })));
    const found = await Promise.all(tokens.map((token) => pairings.findApp(token)));
    assert.equal(found.filter(Boolean).length, 1);
  }),

  two("[P13][J5] a claim is repeated in another process", async (first, second) => {
    await claimRepeatably(first);
    assert.ok(await repeat(second.pairings));
    assert.equal(await second.pairings.findApp("first"), undefined);
  }),
];

/** Makes the cases about what ends a claim's repeats. */
function endCases(): RecordsCase[] {
  const ends: Record<string, (records: OpenedRecords, pairingId: string) => Promise<unknown>> = {
    "its token is removed": ({ pairings }) => pairings.unpair({ tokenHash: "second" }, T0),
    "its app is unpaired": ({ pairings }, id) =>
      pairings.unpair({ deviceId: "device-1", pairingId: id }, T0),
    "its device is gone": ({ pairings }) => pairings.removeDevice("device-1"),
    "it has ended and is forgotten": ({ packages }) => packages.forgetOld(T0 + MINUTE),
  };
  return Object.entries(ends).map(([what, end]) =>
    repeating(`a claim is not repeated once ${what}`, async (records, { pairingId }) => {
      await records.packages.forgetOld(T0 + MINUTE - 1);
      assert.ok(await repeat(records.pairings));
      await end(records, pairingId);
      assert.equal(await repeat(records.pairings, { tokenHash: "third" }), undefined);
    }),
  );
}

/** Makes a case on an app whose claim can be repeated for a minute. */
function repeating(
  title: string,
  run: (
    records: OpenedRecords,
    paired: Awaited<ReturnType<typeof claimRepeatably>>,
  ) => Promise<void>,
): RecordsCase {
  return one(`[P13] ${title}`, async (records) => {
    await run(records, await claimRepeatably(records));
  });
}

async function claimRepeatably({ pairings }: OpenedRecords) {
  await register({ pairings }, "device-1");
  await putCode(pairings, "device-1", "code");
  const repeatable = { repeatHash: "hash", arrivedAt: T0, endsAt: T0 + MINUTE };
  const paired = await claim(pairings, "code", "first", T0, repeatable);
  assert.ok(paired);
  return paired;
}

async function repeat(pairings: PairingRecords, other: Partial<ClaimRepeat> = {}) {
  const { now = T0 } = other;
  return pairings.repeatClaim({
    repeatHash: "hash",
    arrivedAt: T0,
    tokenHash: "second",
    now,
    latestEnd: now + MINUTE,
    ...other,
  });
}
