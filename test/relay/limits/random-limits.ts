import { expect } from "vitest";
import type { CountedIn, Limits, TakenVerdict } from "../../../relay/domain/ports.ts";
import { seeded } from "../../contracts/relay/records/seeded.ts";

const KEYS = ["one", "two", "three", "four"];
/** Bucket, most events and span: small ones, so that they fill up. */
const WINDOWS: readonly (readonly [CountedIn["bucket"], number, number])[] = [
  ["pairing-tries", 3, 1000],
  ["pairing-tries", 7, 10_000],
  ["pairing-tries parts", 20, 5000],
  ["registrations", 1, 2000],
  ["announcements", 12, 3000],
];

/** Does the same to a plain model and to processes that share their windows, and compares every answer. */
export async function compareWithModel(
  seed: number,
  steps: number,
  {
    clock,
    model,
    processes,
  }: {
    clock: { time: number };
    model: Limits;
    processes: readonly Limits[];
  },
): Promise<void> {
  const { below: random } = seeded(seed);
  const kept: (readonly [TakenVerdict, TakenVerdict])[] = [];
  let refused = 0;
  for (let step = 0; step < steps; step += 1) {
    clock.time += random(4) === 0 ? random(1500) : random(3);
    const limits = processes[random(processes.length)];
    if (limits === undefined) throw new Error("There is no process.");
    const where = `seed ${seed}, step ${step}`;
    if (random(6) === 0 && kept.length > 0) {
      const [[expected, taken] = []] = kept.splice(random(kept.length), 1);
      await Promise.all([expected?.refund(), taken?.refund()]);
      continue;
    }
    const drawn = Array.from({ length: 1 + random(3) }, () => windowOf(random));
    const windows = [...new Map(drawn.map((one) => [nameOf(one), one])).values()];
    if (random(3) === 0) windows.splice(1);
    const expected = await model.take(windows);
    const taken = await limits.take(windows);
    expect(verdictOf(taken), where).toEqual(verdictOf(expected));
    if (!taken.allowed) refused += 1;
    kept.push([expected, taken]);
    if (kept.length > 30) kept.shift();
  }
  expect(refused, `seed ${seed}`).toBeGreaterThan(steps / 20);
  expect(refused, `seed ${seed}`).toBeLessThan(steps);
}

function windowOf(random: (below: number) => number): CountedIn {
  const [bucket, max, windowMs] = WINDOWS[random(WINDOWS.length)] ?? ["announcements", 1, 1000];
  return { bucket, key: KEYS[random(KEYS.length)] ?? "", window: { max, windowMs } };
}

function nameOf({ bucket, key, window }: CountedIn): string {
  return `${bucket} ${key} ${window.windowMs}`;
}

function verdictOf({ allowed, remaining, retryAfterSeconds }: TakenVerdict) {
  return { allowed, remaining, retryAfterSeconds };
}
