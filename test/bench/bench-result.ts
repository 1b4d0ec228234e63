import type { Rounds } from "./rounds.ts";
import { median } from "./rounds.ts";

/** The folder of a bench and its amount of work. */
export interface BenchOptions {
  /** An empty folder for this bench, removed afterwards. */
  readonly folder: string;
  /** Runs less of everything: shows that the bench works, and rough figures. */
  readonly isShort: boolean;
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
