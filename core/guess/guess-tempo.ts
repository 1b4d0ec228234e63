import { MAX_BPM, MIN_BPM } from "../limits.ts";
import type { TempoRange } from "./sound-words.ts";
import {
  exactTempo,
  fitsToTheFrame,
  likelyTempo,
  type LoopLength,
  nearTempo,
  roundTempo,
  secondsOf,
  filledTempo,
  wholeBarsAt,
  wholeBeatsAt,
} from "./loop-lengths.ts";
import type { NumbersInName, TempoNumber } from "./numbers-in-name.ts";
import type { GuessInput } from "./sound-guess.ts";

/** The source of a tempo. */
export type TempoSource =
  | "marked"
  | "number"
  | "near"
  | "folder_marked"
  | "folder"
  | "folder_near"
  | "package"
  | "count"
  | "acid"
  | "tag"
  | "length"
  | "region"
  | "smpl"
  | "likely";

/** A tempo for a sound, if it is a loop. */
export interface TempoGuess extends LoopLength {
  readonly source: TempoSource;
  /** 0 to 1. */
  readonly confidence: number;
  /** The number as written in a name; empty if it comes from none. */
  readonly text: string;
  /** True if the loop leaves some of the sound over. */
  readonly hasTail: boolean;
}

/** Evidence for a sound's tempo. */
export interface TempoClues {
  readonly input: GuessInput;
  readonly numbers: NumbersInName;
  readonly folderNumbers: NumbersInName;
  /** Usual tempi of the style in the name. */
  readonly range: TempoRange | null;
  /** True if the name says that it is a loop: then a half BPM counts, too. */
  readonly isLoopByName: boolean;
  /** True if its name calls it a break: cut to the bar from a record, whose tempo is rarely a whole number. */
  readonly isBreak: boolean;
}

/** Guesses the tempo that a sound has if it is a loop; null if nothing says one (rule Y2). */
export function guessTempo(clues: TempoClues): TempoGuess | null {
  const { input, numbers, folderNumbers } = clues;
  const [marked, folderMarked] = [numbers, folderNumbers].map(({ tempos }) =>
    tempos.filter(({ isMarked }) => isMarked),
  );
  return (
    fromMarked(marked ?? [], "marked", clues) ??
    fromWhole(numbers.tempos, "number", clues) ??
    fromMarked(folderMarked ?? [], "folder_marked", clues) ??
    fromWhole(folderNumbers.tempos, "folder", clues) ??
    fromPackage(input) ??
    fromCount(clues) ??
    fromAcid(clues) ??
    fromTag(clues) ??
    fromRegion(clues) ??
    fromNear(numbers.tempos, "near", clues) ??
    fromNear(folderNumbers.tempos, "folder_near", clues) ??
    fromLength(clues)
  );
}

/** Takes a number next to `bpm` as the tempo: what is left over after whole bars is tail. A style settles two of them. */
function fromMarked(
  marked: readonly TempoNumber[],
  source: "marked" | "folder_marked",
  { input, numbers, range }: TempoClues,
): TempoGuess | null {
  const tempos = marked.toSorted(
    (one, other) => Number(isIn(range, other.bpm)) - Number(isIn(range, one.bpm)),
  );
  const isWhole = ({ bpm }: TempoNumber) => {
    const beats = wholeBeatsAt(bpm, input);
    return beats !== null && (beats < 4 || beats % numbers.beatsPerBar === 0);
  };
  const tempo = tempos.find(isWhole) ?? tempos[0];
  if (tempo === undefined) return null;
  const { bpm, text } = tempo;
  const whole = wholeBarsAt(bpm, input, numbers.beatsPerBar);
  const counted = numbers.lengthBeats;
  const isCounted = counted !== null && (counted * 60) / bpm <= secondsOf(input) + 0.01;
  const lengthBeats = isCounted ? counted : whole;
  if (lengthBeats === null) return null;
  const hasTail = secondsOf(input) - (lengthBeats * 60) / bpm > 0.01;
  const confidence = source === "marked" ? 0.99 : 0.9;
  return { bpm, lengthBeats, source, confidence, text, hasTail };
}

/** Takes a bare number as the tempo where it makes whole beats; few odd ones may do so by chance. */
function fromWhole(
  tempos: readonly TempoNumber[],
  source: "number" | "folder",
  { input, range, numbers }: TempoClues,
): TempoGuess | null {
  const fits = tempos
    .filter(({ isMarked }) => !isMarked)
    .flatMap(({ bpm, text }) => {
      const lengthBeats = wholeBeatsAt(bpm, input);
      return lengthBeats === null ? [] : [{ bpm, text, lengthBeats }];
    });
  const isRegular = ({ lengthBeats }: LoopLength) =>
    isPowerOfTwo(lengthBeats) || lengthBeats % numbers.beatsPerBar === 0;
  const [best] = fits.toSorted(
    (one, other) =>
      Number(isRegular(other)) - Number(isRegular(one)) ||
      Number(isIn(range, other.bpm)) - Number(isIn(range, one.bpm)) ||
      Number(isPowerOfTwo(other.lengthBeats)) - Number(isPowerOfTwo(one.lengthBeats)),
  );
  if (best === undefined) return null;
  const isByChance = !isRegular(best) && !fitsToTheFrame(best, input);
  if (isByChance && exactTempo(input, range) !== null) return null;
  const confidence = isRegular(best) ? 0.95 : 0.8;
  return { ...best, source, confidence, hasTail: false };
}

const SLOWEST_NEAR = 70;

function fromNear(
  tempos: readonly TempoNumber[],
  source: "near" | "folder_near",
  { input, range }: TempoClues,
): TempoGuess | null {
  const near = tempos.flatMap(({ bpm, text, isMarked }) => {
    const found = isMarked ? null : nearTempo(bpm, input);
    return found === null ? [] : [{ ...found, text, off: Math.abs(found.bpm / bpm - 1) }];
  });
  const [best] = near.toSorted(
    (one, other) =>
      Number(isIn(range, other.bpm)) - Number(isIn(range, one.bpm)) || one.off - other.off,
  );
  if (best === undefined) return null;
  const { bpm, lengthBeats, text } = best;
  // Below the usual tempi it is rather a counter, if the length says a whole tempo.
  if (bpm < SLOWEST_NEAR && exactTempo(input, range) !== null) return null;
  return { bpm, lengthBeats, text, source, confidence: 0.7, hasTail: false };
}

function fromPackage(input: GuessInput): TempoGuess | null {
  const { packageBpm } = input;
  if (packageBpm === undefined) return null;
  const lengthBeats = wholeBeatsAt(packageBpm, input);
  if (lengthBeats === null) return null;
  return unwritten({ bpm: packageBpm, lengthBeats }, "package", 0.9);
}

/** Derives the tempo from the length and `4 bars` in the name. */
function fromCount({ input, numbers }: TempoClues): TempoGuess | null {
  const { lengthBeats } = numbers;
  const found = lengthBeats === null ? null : filledTempo(lengthBeats, input);
  if (found === null || found.bpm < 40 || found.bpm > 240) return null;
  return unwritten(found, "count", Number.isInteger(found.bpm) ? 0.95 : 0.8);
}

/** Takes the tempo of an `acid` chunk if it agrees with the length; a style in the name settles half and double. */
function fromAcid({ input, range }: TempoClues): TempoGuess | null {
  const { acid } = input.hints;
  if (acid === undefined || acid.isOneShot) return null;
  const { beats, tempoBpm } = acid;
  if (!(tempoBpm >= MIN_BPM && tempoBpm <= MAX_BPM) || wholeBeatsAt(tempoBpm, input) !== beats) {
    return null;
  }
  const bpm = roundTempo(tempoBpm);
  const octaves = [1, 2, 0.5].map((by) => ({ bpm: bpm * by, lengthBeats: beats * by }));
  const inStyle = octaves.find((one) => range !== null && isIn(range, one.bpm));
  const isWhole = inStyle !== undefined && Number.isInteger(inStyle.lengthBeats);
  return unwritten(isWhole ? inStyle : { bpm, lengthBeats: beats }, "acid", 0.9);
}

/** Takes a tag's tempo if it agrees with the length; tags often round it to a whole number. */
function fromTag({ input }: TempoClues): TempoGuess | null {
  const { tempoBpm: bpm } = input.hints;
  if (bpm === undefined || bpm < MIN_BPM || bpm > MAX_BPM) return null;
  const lengthBeats = wholeBeatsAt(bpm, input);
  if (lengthBeats !== null) return unwritten({ bpm, lengthBeats }, "tag", 0.9);
  const near = Number.isInteger(bpm) ? nearTempo(bpm, input) : null;
  return near !== null && Math.round(near.bpm) === bpm ? unwritten(near, "tag", 0.8) : null;
}

/** Derives the tempo from a `smpl` chunk that loops the sound from its start and leaves a tail, as samplers play it. */
function fromRegion({ input, range, isLoopByName }: TempoClues): TempoGuess | null {
  const { sampler } = input.hints;
  if (!isLoopByName || sampler?.startFrame !== 0 || isWholeSampler(input)) return null;
  // The last frame may be meant or not.
  const region = { ...input, frames: sampler.endFrame + 0.5 };
  const exact = region.frames < input.frames / 2 ? null : exactTempo(region, range);
  return exact && { ...unwritten(exact, "region", 0.8), hasTail: true };
}

function fromLength(clues: TempoClues): TempoGuess | null {
  const { input, numbers, folderNumbers, range, isLoopByName, isBreak } = clues;
  const exact = exactTempo(input, range) ?? (isLoopByName ? exactTempo(input, range, 2) : null);
  if (exact !== null && secondsOf(input) >= SHORTEST_SECONDS) {
    return unwritten(exact, "length", range === null ? 0.7 : 0.8);
  }
  const likely = likelyTempo(input, range);
  if (likely !== null && isWholeSampler(input)) return unwritten(likely, "smpl", 0.6);
  const isContradicted = [...numbers.tempos, ...folderNumbers.tempos].length > 0;
  return likely !== null && isBreak && !isContradicted ? unwritten(likely, "likely", 0.4) : null;
}

const SHORTEST_SECONDS = 0.9;

/** Checks whether a `smpl` chunk loops the whole file. */
export function isWholeSampler({ frames, hints }: GuessInput): boolean {
  const { sampler } = hints;
  return sampler?.startFrame === 0 && Math.abs(sampler.endFrame - (frames - 0.5)) <= 1;
}

function unwritten(length: LoopLength, source: TempoSource, confidence: number): TempoGuess {
  return { ...length, source, confidence, text: "", hasTail: false };
}

function isIn(range: TempoRange | null, bpm: number): boolean {
  return range !== null && bpm >= range[0] && bpm <= range[1];
}

function isPowerOfTwo(n: number): boolean {
  return Number.isInteger(Math.log2(n));
}
