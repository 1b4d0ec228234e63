import type { Translate } from "../messages/translate.ts";

/** The findings of “Check this Live”; made to be sent, so without paths, names, addresses and tokens (rule H21). */
export interface LiveReport {
  readonly report: "soundferry-live-check";
  readonly format: 1;
  /** Soundferry's version. */
  readonly soundferry: string;
  /** Live's version, such as `12.1.5`; null where only the extension answered. */
  readonly live: string | null;
  /** The edition, such as `Suite`. */
  readonly edition: string | null;
  /** The system, such as `darwin arm64`. */
  readonly system: string;
  /** Milliseconds between two of Live's ticks, on average. */
  readonly tick_ms: number | null;
  readonly checks: readonly LiveFinding[];
  /** Number of tracks and scenes of the check that could not be removed. */
  readonly stays: number;
}

/** The answer to one question about Live. */
export interface LiveFinding {
  readonly id: string;
  /** The question, in English. */
  readonly question: string;
  /** Null if the person skipped it. */
  readonly facts: LiveFacts | null;
  /** Milliseconds of each call, by its name such as `create_audio_track`. */
  readonly timings: Readonly<Record<string, readonly number[]>>;
}

export type LiveFacts = Readonly<Record<string, LiveFact>>;
export type LiveFact = string | number | boolean | null | readonly LiveFact[];

/** The progress of a running check, streamed to the panel. */
export interface LiveCheckState {
  readonly status: "idle" | "running" | "done" | "failed";
  /** Finished checks, and all of them. */
  readonly done: number;
  readonly total: number;
  /** The step that only the person can do now, or null. */
  readonly ask: LiveCheckAsk | null;
  /** A sentence, after a failure. */
  readonly error: string | null;
  readonly report: LiveReport | null;
}

/** Something that the check asks the person to do in Live. */
export interface LiveCheckAsk {
  readonly id: string;
  readonly text: string;
  /** `done`: they confirm the step; `number`: they count something. */
  readonly answer: "done" | "number";
}

/** The ending of facts that differ from run to run. */
const MEASURED = /_(?:ms|ticks)$/;

/** Returns the facts of one check; empty if it was skipped. */
export function factsOf({ checks }: Pick<LiveReport, "checks">, id: string): LiveFacts {
  return checks.find((check) => check.id === id)?.facts ?? {};
}

/** Returns a report without times, so that two reports of the same Live are equal. */
export function withoutTimings(report: LiveReport): object {
  const { tick_ms: _tick, system: _system, checks, ...about } = report;
  const plain = checks.map(({ id, question, facts: given }) => ({
    id,
    question,
    facts: given && withoutMeasured(given),
  }));
  return { ...about, checks: plain };
}

function withoutMeasured(facts: LiveFacts): LiveFacts {
  return Object.fromEntries(Object.entries(facts).filter(([key]) => !MEASURED.test(key)));
}

/** Formats the number of tracks and scenes that Live didn't remove. */
export function formatStays(t: Translate, stays: number): string {
  return t("format.stays", { count: stays });
}
