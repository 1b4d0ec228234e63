import type { RefusalCode } from "../../core/protocol/refusals.ts";
import type { Comparison } from "./upkeep/comparison.ts";

/**
 * Counts events of this process, for metrics (rule K9). It never learns who caused them. Durations are seconds of real
 * time unless stated otherwise.
 */
export interface Meter {
  /** Counts bytes of a sound that came from an app, or went to an importer. */
  soundBytes(direction: "in" | "out", bytes: number): void;
  /** Counts a package's first report, with the time since its commit by the relay's clock. */
  imported(outcome: "imported" | "partial" | "failed", seconds: number): void;
  /** Counts a notification that a connection took, with the time that it needed. */
  notified(seconds: number): void;
  refused(code: RefusalCode): void;
  swept(outcome: "done" | "failed"): void;
  /** Counts a stored sound that was compared with its announcement (rule Z16). */
  scrubbed(found: Comparison): void;
}

/** A meter without effect, for a relay that nobody measures. */
export const NO_METER: Meter = {
  soundBytes: () => {},
  imported: () => {},
  notified: () => {},
  refused: () => {},
  swept: () => {},
  scrubbed: () => {},
};
