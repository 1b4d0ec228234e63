import assert from "node:assert/strict";
import type { RecordStore } from "../../../../relay/domain/ports.ts";
import { CLOCK_PROMISES } from "../clock-contract.ts";
import type { ContractCase, MakeStore, WaitOptions } from "../contract.ts";
import { CHANGE_CASES } from "./change-cases.ts";
import { CODE_CASES } from "./code-cases.ts";
import { COMPETING_CASES } from "./competing-cases.ts";
import { DEVICE_CASES, TOKEN_CASES } from "./device-cases.ts";
import { IDEMPOTENCY_CASES } from "./idempotency-cases.ts";
import { LIST_CASES } from "./list-cases.ts";
import { huntDeadlocks } from "./mixed-hunt.ts";
import { OWN_LIST_CASES } from "./own-list-cases.ts";
import { EXPIRE_CASES, PACKAGE_CASES } from "./package-cases.ts";
import { PAIRING_CASES } from "./pairing-cases.ts";
import { PAIRING_REQUEST_CASES } from "./pairing-request-cases.ts";
import { PARTIAL_CASES } from "./partial-cases.ts";
import { LAST_PLACE_CASES, QUOTA_CASES } from "./quota-cases.ts";
import { QUOTA_RELEASE_CASES } from "./quota-release-cases.ts";
import {
  huntClaims,
  huntCommits,
  huntLastPlaces,
  huntLastTokens,
  huntTakes,
} from "./race-hunts.ts";
import { onStore, two } from "./records-case.ts";
import { REPEAT_CASES } from "./repeat-cases.ts";
import { ROOM_CASES } from "./room-cases.ts";
import { type Hunt, type HuntOptions, huntWith } from "./seeded.ts";
import { SHARE_CASES } from "./share-cases.ts";
import { SOUND_KEY_CASES } from "./sound-key-cases.ts";
import { WINDOW_CASES } from "./window-cases.ts";

/** The promises of a store's own clock, if it has one: the same as any relay's clock (rule J3). */
const CLOCK_CASES = CLOCK_PROMISES.map(({ title, run }) =>
  two(`[J3] if the store has a clock, ${title}`, async (first, second, eventually) => {
    if (first.clock === undefined || second.clock === undefined) {
      assert.equal(first.clock, second.clock, "Only one of two instances has a clock.");
      return;
    }
    await run(first.clock, second.clock, eventually);
  }),
);

export type { HuntOptions };

/**
 * Makes the cases for a `RecordStore`, with one instance and with two on one store. Each case makes a separate store.
 * The races that need many tries are in `recordHunts`.
 */
export function recordsContract(
  make: MakeStore<RecordStore>,
  options: WaitOptions = {},
): readonly ContractCase[] {
  const cases = [
    ...CLOCK_CASES,
    ...CODE_CASES,
    ...DEVICE_CASES,
    ...IDEMPOTENCY_CASES,
    ...LIST_CASES,
    ...OWN_LIST_CASES,
    ...PACKAGE_CASES,
    ...PAIRING_CASES,
    ...PAIRING_REQUEST_CASES,
    ...REPEAT_CASES,
    ...QUOTA_CASES,
    ...SHARE_CASES,
    ...SOUND_KEY_CASES,
    ...PARTIAL_CASES,
    ...WINDOW_CASES,
    ...LAST_PLACE_CASES,
    ...COMPETING_CASES,
    ...CHANGE_CASES,
    ...EXPIRE_CASES,
    ...QUOTA_RELEASE_CASES,
    ...ROOM_CASES,
    ...TOKEN_CASES,
  ];
  return onStore(make, cases, options);
}

/**
 * Makes cases that hunt for races and deadlocks in a `RecordStore` with two instances. Each seed lets 100 calls
 * compete. A failure names its seed; run that one alone with `{ seeds: [17] }`.
 */
export function recordHunts(
  make: MakeStore<RecordStore>,
  options: HuntOptions,
): readonly ContractCase[] {
  return HUNTS.map(([title, hunt]) => ({ title, run: () => huntWith(make, options, hunt) }));
}

const HUNTS: readonly (readonly [title: string, hunt: Hunt])[] = [
  ["[J5][P4] of 100 claims of one code exactly one pairs", huntClaims],
  ["[J5][S2] of 100 takes of one version exactly one is applied", huntTakes],
  ["[J2][J5] of 100 commits, replacements and removals of one version one wins", huntCommits],
  ["[J5][A3] of 100 removals of a pairing's tokens exactly one is the last", huntLastTokens],
  ["[J5][L1][L2] of 100 announcements exactly one gets the last place", huntLastPlaces],
  ["[J2][J5] calls of all methods never block each other, and lose no key", huntDeadlocks],
];
