import type { RefusalCode } from "../../core/protocol/refusals.ts";

/**
 * Hears of what happens in this process, for metrics (rule K9). It never learns who did it. Durations are seconds, of
 * real time where nothing else is said.
 */
export interface Meter {
  /** Bytes of a sound came from an app, or went to an importer. */
  soundBytes(direction: "in" | "out", bytes: number): void;
  /** A package was reported, for the first time, so long after its commit, by the relay's clock. */
  imported(outcome: "imported" | "partial" | "failed", seconds: number): void;
  /** A connection took a notification. */
  notified(seconds: number): void;
  refused(code: RefusalCode): void;
  swept(outcome: "done" | "failed"): void;
}

/** For a relay that nobody measures. */
export const NO_METER: Meter = {
  soundBytes: () => {},
  imported: () => {},
  notified: () => {},
  refused: () => {},
  swept: () => {},
};
