import type { PanelLive } from "../../core/protocol/panel-api.ts";
import type { LiveCheckAsk, LiveReport } from "../../core/protocol/live-report.ts";

/** The port to Live's control surface on this computer, which a person sets up once. */
export interface LiveSetup {
  /** Returns Live's state for the panel, in about a second at most; null on a computer without Live. */
  look(): Promise<PanelLive | null>;
  /**
   * Copies the script into Live's User Library. Absent where the importer can't write there.
   * @throws {Error} with a sentence
   */
  install?(): Promise<void>;
}

/** The channel between a running check of Live and the person who started it. */
export interface CheckTalk {
  /** Asks the person; resolves with their count, with `true` once they are done, or with null if they skip it. */
  readonly ask: (question: LiveCheckAsk) => Promise<number | true | null>;
  readonly onProgress: (done: number, total: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Checks a running Live in a Set without clips, and removes everything again.
 * @throws {Error} with a sentence
 * @throws {unknown} the signal's reason
 */
export type LiveChecker = (talk: CheckTalk) => Promise<LiveReport>;
