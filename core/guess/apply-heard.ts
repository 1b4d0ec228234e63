import { inEnglish } from "../messages/translate.ts";
import { filledTempo, type LoopLength } from "./loop-lengths.ts";
import {
  formatReasons,
  type GuessInput,
  type GuessReason,
  plainReason,
  type SoundGuess,
} from "./sound-guess.ts";
import type { TempoRange } from "./sound-words.ts";

/** Checks whether names, length and chunks leave a guess open, so that listening may answer (rule Y11). */
export function isOpenGuess({ kind, bpm, reasons }: SoundGuess): boolean {
  return kind === null || (kind === "loop" && (bpm === null || isByLength(reasons)));
}

/**
 * Lets what was heard answer what a guess leaves open, and nothing else (rule Y11).
 * @param range usual tempi of the style in the name
 */
export function applyHeard(
  guess: SoundGuess,
  input: GuessInput,
  range: TempoRange | null,
): SoundGuess {
  const { heard } = input;
  if (heard === undefined || heard.kind === null || !isOpenGuess(guess)) return guess;
  const { kind, bpm, reasons, confidence } = guess;
  if (heard.kind === "oneshot") {
    if (kind === "loop") return guess;
    const none = { bpm: null, lengthBeats: null, likely: null };
    const sure = { ...confidence, kind: heard.confidence, bpm: 0 };
    return explained({ ...guess, ...none, kind: "oneshot", confidence: sure }, [
      plainReason("guess.heard_oneshot"),
    ]);
  }
  const isTempoOpen = bpm === null || isByLength(reasons);
  const found = isTempoOpen ? inStyle(heard.lengthBeats, input, range) : null;
  // A loop's length leaves only half and double open.
  const isSettled = kind === "loop" && hasReason(reasons, "guess.length");
  const tempo = isSettled && !areOctaves(found?.bpm ?? 0, bpm ?? 1) ? null : found;
  const rest = reasons.filter(({ key }) => key !== "guess.nothing");
  if (tempo === null) {
    if (kind === "loop") return guess;
    const sure = { ...confidence, kind: heard.confidence };
    const after = bpm === null ? [...rest, plainReason("guess.tempo_unknown")] : rest;
    return explained({ ...guess, kind: "loop", confidence: sure }, [
      plainReason("guess.heard_loop"),
      ...after,
    ]);
  }
  const own = kind === "loop" ? rest.filter(({ key }) => !REPLACED.has(key)) : [];
  const sure = { ...confidence, kind: Math.max(confidence.kind, heard.confidence) };
  return explained(
    {
      ...guess,
      ...tempo,
      kind: "loop",
      likely: null,
      confidence: { ...sure, bpm: heard.confidence },
    },
    [...own, { ...plainReason("guess.heard_tempo"), bpm: tempo.bpm }],
  );
}

/** Reasons for a tempo that fits any sound, or some by chance. */
const OPEN_TEMPI = ["guess.length", "guess.likely"] as const;

function isByLength(reasons: readonly GuessReason[]): boolean {
  return OPEN_TEMPI.some((key) => hasReason(reasons, key));
}

/** Checks whether one tempo is the other, or half or double of it. */
function areOctaves(one: number, other: number): boolean {
  return [0.5, 1, 2].some((ratio) => Math.abs(one / other / ratio - 1) < SAME_TEMPO);
}

const SAME_TEMPO = 0.001;
const REPLACED: ReadonlySet<string> = new Set([...OPEN_TEMPI, "guess.tempo_unknown"]);

/** Returns the tempo of what was heard, or half or double of it in the style of the name; null if neither is. */
function inStyle(
  lengthBeats: number | null,
  input: GuessInput,
  range: TempoRange | null,
): LoopLength | null {
  if (lengthBeats === null) return null;
  const octaves = [1, 2, 0.5].flatMap((by) => filledTempo(lengthBeats * by, input) ?? []);
  if (range === null) return octaves[0] ?? null;
  const [slowest, fastest] = range;
  const isInStyle = ({ bpm, lengthBeats: beats }: LoopLength) =>
    Number.isInteger(beats) && bpm >= slowest && bpm <= fastest;
  return octaves.find(isInStyle) ?? null;
}

function hasReason(reasons: readonly GuessReason[], key: GuessReason["key"]): boolean {
  return reasons.some((one) => one.key === key);
}

function explained(guess: SoundGuess, reasons: readonly GuessReason[]): SoundGuess {
  return { ...guess, reasons, because: formatReasons(inEnglish, reasons) };
}
