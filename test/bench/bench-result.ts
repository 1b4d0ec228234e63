/** The folder of a bench, and the amount of its work. */
export interface BenchOptions {
  /** An empty folder for this bench, removed afterwards. */
  readonly folder: string;
  /** Runs less of everything: shows that the bench works, and rough figures. */
  readonly isShort: boolean;
  /** Another checkout of this project, to compare with. */
  readonly before?: string | undefined;
  /** The folder whose `node_modules` has @tus/server, if this project's hasn't. */
  readonly tus?: string | undefined;
}

/** The result of one bench. */
export interface BenchResult {
  readonly name: string;
  /** The measured task, in a sentence. */
  readonly task: string;
  /** The results of each side, one value per round. */
  readonly sides: readonly Side[];
  /** The figures that have goals. */
  readonly figures: readonly Figure[];
  /** Further facts for a critical reader. */
  readonly notes: readonly string[];
}

export interface Side {
  readonly name: string;
  readonly unit: "MB/s" | "calls/s" | "files/s" | "ms";
  readonly values: readonly number[];
  /** The peak memory of its processes, in MB. */
  readonly peakMb: number;
}

/** One figure and its goal. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Our median divided by the baseline's, and the spread of the rounds. */
export function ratioOf({ bare, ours }: Rounds): { readonly value: number; readonly note: string } {
  const each = ours.map((value, round) => value / (bare[round] ?? NaN));
  const [least, most] = [Math.min(...each).toFixed(2), Math.max(...each).toFixed(2)];
  return {
    value: median(ours) / median(bare),
    note: `Ratio round by round: ${least} to ${most}.`,
  };
}

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

/** Alternates the baseline and our side, as `takeTurns` does. */
export async function interleave(
  rounds: number,
  bare: () => Promise<number>,
  ours: () => Promise<number>,
): Promise<Rounds> {
  const [ofBare = [], ofOurs = []] = await takeTurns(rounds, [bare, ours]);
  return { bare: ofBare, ours: ofOurs };
}

/**
 * Measures several sides in turns, so that other load on the machine affects all of them. A first round is not counted:
 * it warms them up. Returns what each side measured, round by round.
 */
export async function takeTurns(
  rounds: number,
  sides: readonly (() => Promise<number>)[],
): Promise<readonly (readonly number[])[]> {
  const measured = sides.map(() => new Array<number>());
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, side] of sides.entries()) {
      const value = await side();
      if (round > 0) measured[index]?.push(value);
    }
  }
  return measured;
}

/** Milliseconds that an action takes. */
export async function timed(act: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await act();
  return performance.now() - startedAt;
}
