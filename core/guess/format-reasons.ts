import type { MessageKey } from "../messages/en/english.ts";
import type { Translate } from "../messages/translate.ts";

/** The texts that a reason can have. */
export type GuessReasonKey = Extract<MessageKey, `guess.${string}`>;

/** One reason for a guess, to be written in any language. */
export interface GuessReason {
  readonly key: GuessReasonKey;
  /** The words that it quotes; may be empty. */
  readonly text: string;
  /** Beats; may be 0. */
  readonly count: number;
}

/** Reasons as a person reads them: one or two short sentences. */
export function formatReasons(t: Translate, reasons: readonly GuessReason[]): string {
  return reasons.map(({ key, text, count }) => t(key, { text, count })).join(" ");
}
