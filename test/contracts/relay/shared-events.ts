import assert from "node:assert/strict";
import { type SharedVerdict, takeShared } from "../../../relay/domain/admission/shared-events.ts";
import type { Limits } from "../../../relay/domain/ports.ts";

const HOUR = 3_600_000;
const BUDGET = { event: "codes", windowMs: HOUR, ofAll: 100 } as const;

/** Floods a budget from one network, also at once, and asserts what others have of it (rule L13). */
export async function assertHalfIsKept(limits: Limits): Promise<void> {
  const take = (count: number, addressOf: (at: number) => string) =>
    Promise.all(
      Array.from({ length: count }, (_, at) =>
        takeShared(limits, BUDGET, { address: addressOf(at) }),
      ),
    );
  const flood = await take(200, (at) => `203.0.${at}.1`);
  assert.equal(countTaken(flood), 50);
  assert.equal(countTaken(await take(20, () => "198.51.100.1")), 10);
  const [refused] = await take(1, () => "198.51.100.2");
  assert.deepEqual(refused, { kind: "all-spent", retryAfterSeconds: 3600 });
  for (const one of flood) if (one.kind === "taken") await one.refund();
  assert.equal(countTaken(await take(60, () => "198.51.100.1")), 50);
  assert.equal(countTaken(await take(50, (at) => `${20 + at}.1.1.1`)), 40);
}

function countTaken(verdicts: readonly SharedVerdict[]): number {
  return verdicts.filter(({ kind }) => kind === "taken").length;
}
