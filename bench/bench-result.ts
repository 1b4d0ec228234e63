import type { Rounds } from "./rounds.ts";
import { median } from "./rounds.ts";

/** Where a bench works and how much it does. */
export interface BenchOptions {
  /** An empty folder of its own, removed afterwards. */
  readonly folder: string;
  /** Less of everything: shows that the bench works, and roughly how fast the rest is. */
  readonly isShort: boolean;
}

/** What came out of one bench. */
export interface BenchResult {
  readonly name: string;
  /** What was measured, in a sentence. */
  readonly task: string;
  /** What each side did, one value a round. */
  readonly sides: readonly Side[];
  /** What the goals are about. */
  readonly figures: readonly Figure[];
  /** More that a doubting reader may want to know. */
  readonly notes: readonly string[];
}

export interface Side {
  readonly name: string;
  readonly unit: "MB/s" | "calls/s" | "ms";
  readonly values: readonly number[];
  /** The most memory its processes ever held, in MB. */
  readonly peakMb: number;
}

/** One figure and its goal. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Our median by the bare one's, and how far the single rounds lie apart. */
export function ratioOf({ bare, ours }: Rounds): { readonly value: number; readonly note: string } {
  const each = ours.map((value, round) => value / (bare[round] ?? NaN));
  const [least, most] = [Math.min(...each).toFixed(2), Math.max(...each).toFixed(2)];
  return {
    value: median(ours) / median(bare),
    note: `Ratio round by round: ${least} to ${most}.`,
  };
}
