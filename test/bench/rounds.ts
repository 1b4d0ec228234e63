/** The middle value; for an even number of values the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The value at that fraction of the sorted values, interpolated linearly; 0 without values. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const at = part * (sorted.length - 1);
  const low = sorted[Math.floor(at)] ?? 0;
  const high = sorted[Math.ceil(at)] ?? 0;
  return low + (high - low) * (at - Math.floor(at));
}

/** The measurements of both sides, round by round. */
export interface Rounds {
  readonly bare: readonly number[];
  readonly ours: readonly number[];
}

/**
 * Alternates the baseline and our side, so that other load on the machine affects both. A first round is not
 * counted: it warms both up.
 */
export async function interleave(
  rounds: number,
  bare: () => Promise<number>,
  ours: () => Promise<number>,
): Promise<Rounds> {
  await bare();
  await ours();
  const measured = { bare: new Array<number>(), ours: new Array<number>() };
  for (let round = 0; round < rounds; round += 1) {
    measured.bare.push(await bare());
    measured.ours.push(await ours());
  }
  return measured;
}

/** Milliseconds that an action takes. */
export async function timed(act: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await act();
  return performance.now() - startedAt;
}
