import type { SoundKind } from "../manifest/manifest.ts";
import { isWholeSampler, type TempoGuess } from "./guess-tempo.ts";
import { secondsOf } from "./loop-lengths.ts";
import type { GuessInput } from "./sound-guess.ts";
import { SOUND_WORDS, type WordMeaning } from "./sound-words.ts";

/** Loop, one-shot or undecided, with the strongest reason. */
export interface KindGuess {
  readonly kind: SoundKind | null;
  /** 0 to 1. */
  readonly confidence: number;
  /** The strongest evidence for it. */
  readonly because: KindReason;
  /** The word that says it, if it is one. */
  readonly word: string;
}

export type KindReason =
  | "word"
  | "folder"
  | "short"
  | "note"
  | "chunk"
  | "tempo"
  | "length"
  | "nothing";

/** Evidence for a sound's kind. */
export interface KindClues {
  readonly input: GuessInput;
  /** Known words of the name, in its order. */
  readonly words: readonly string[];
  readonly folderWords: readonly string[];
  readonly hasNote: boolean;
  readonly hasChord: boolean;
  readonly tempo: TempoGuess | null;
}

interface Clue {
  readonly leaning: number;
  readonly reason: KindReason;
  readonly word?: string;
}

/** The least log-odds of a guess; below them, a person is asked. */
const SURE = 1.5;

/** Weighs all clues of a sound's kind against each other (rule Y1). */
export function guessKind(clues: KindClues): KindGuess {
  const every: readonly Clue[] = [
    ...wordClues(clues.words, "word"),
    ...folderClues(clues.folderWords),
    ...lengthClues(clues),
    ...chunkClues(clues.input),
    ...tempoClues(clues),
    ...(clues.hasNote && !isOfDrums(clues.words) ? [{ leaning: -4, reason: "note" as const }] : []),
    ...(is808(clues) ? [{ leaning: -2.5, reason: "word" as const, word: "808" }] : []),
    ...(clues.hasChord ? [{ leaning: -1, reason: "note" as const }] : []),
  ];
  const all = secondsOf(clues.input) >= LONG_SECONDS ? every.filter(isOfLong) : every;
  const isLoopWord = clues.words.some((word) => isExplicitLoop(SOUND_WORDS.get(word)));
  const gesture = clues.words.find((word) => SOUND_WORDS.get(word)?.isGesture === true);
  const sum = all.reduce((total, { leaning }) => total + leaning, 0);
  if (gesture !== undefined && !isLoopWord) {
    const confidence = oddsToShare(Math.max(4, -sum));
    return { kind: "oneshot", confidence, because: "word", word: gesture };
  }
  if (Math.abs(sum) < SURE) {
    return { kind: null, confidence: 0, because: "nothing", word: "" };
  }
  const [strongest] = all.toSorted((one, other) => (other.leaning - one.leaning) * Math.sign(sum));
  return {
    kind: sum > 0 ? "loop" : "oneshot",
    confidence: oddsToShare(Math.abs(sum)),
    because: strongest?.reason ?? "nothing",
    word: strongest?.word ?? "",
  };
}

/** A sound of minutes may be a whole song: words of instruments, such as `drums`, say nothing about it. */
const LONG_SECONDS = 60;

function isOfLong({ reason, word = "" }: Clue): boolean {
  if (reason !== "word" && reason !== "folder") return true;
  const meaning = SOUND_WORDS.get(word);
  return meaning?.isExplicit === true || meaning?.role === "fx";
}

/** Checks whether a name has an 808 alone: then it is a kick or a bass note. */
function is808({ input, words }: KindClues): boolean {
  return words.every((word) => LEAN_808.has(word)) && /(?<!\d)808s?(?!\d)/.test(input.fileName);
}

const LEAN_808 = new Set(["bass", "sub", "kick"]);

/**
 * Collects the clues of words: the last explicit one (a "Hit Loop" is a loop, a "Loop Hit" is none), and the strongest
 * others.
 */
function wordClues(words: readonly string[], reason: "word" | "folder"): readonly Clue[] {
  const clues = words.flatMap((word) => {
    const meaning = SOUND_WORDS.get(word);
    return meaning === undefined ? [] : [{ word, reason, ...meaning }];
  });
  const explicit = clues.findLast(({ isExplicit }) => isExplicit === true);
  const others = clues.filter(({ isExplicit, leaning }) => isExplicit !== true && leaning !== 0);
  const loop = others.toSorted((one, other) => other.leaning - one.leaning)[0];
  const shot = others.toSorted((one, other) => one.leaning - other.leaning)[0];
  const weaker = [loop, shot].filter(
    (clue, index) => clue !== undefined && (index === 0 ? clue.leaning > 0 : clue.leaning < 0),
  );
  return [explicit, ...weaker].flatMap((clue) => clue ?? []);
}

/** Collects the clues of a folder's words, which say less than a name's. */
function folderClues(words: readonly string[]): readonly Clue[] {
  return wordClues(words, "folder")
    .filter(({ leaning }) => Math.abs(leaning) >= CLEAR)
    .map(({ leaning, word = "" }) => ({
      reason: "folder",
      word,
      leaning: Math.max(-CLEAR, Math.min(CLEAR, leaning * FOLDER_WEIGHT)),
    }));
}

const FOLDER_WEIGHT = 0.6;
/** The least that a folder's word must weigh to count, and the most that it counts. */
const CLEAR = 2.5;

/** Evidence against a loop, by length in seconds; few loops are shorter than a second. */
const SHORT: readonly (readonly [below: number, leaning: number])[] = [
  [0.25, -6],
  [0.5, -4],
  [0.9, -2],
  [1.2, -0.5],
];

/** Instruments that ring for many beats when they are struck once. */
const RINGING = new Set(
  "cymbals cymbal china cymbale becken platillo timpani tom note stab chord".split(" "),
);

function lengthClues({ input, tempo, words }: KindClues): readonly Clue[] {
  const seconds = secondsOf(input);
  const short = SHORT.find(([below]) => seconds < below);
  const isOfNoTempo = tempo === null && seconds < 4;
  const isHit = words.some((word) => (SOUND_WORDS.get(word)?.leaning ?? 0) <= -2);
  const rings = words.some((word) => RINGING.has(word));
  const isLongHit = isHit && seconds > 3 && (tempo?.lengthBeats ?? 0) >= (rings ? 16 : 8);
  const isByName = tempo?.source === "number" || tempo?.source === "marked";
  return [
    ...(short === undefined ? [] : [{ leaning: short[1], reason: "short" as const }]),
    ...(isOfNoTempo ? [{ leaning: seconds < 2 ? -1.5 : -0.7, reason: "length" as const }] : []),
    ...(isLongHit && isByName ? [{ leaning: 2, reason: "length" as const }] : []),
  ];
}

function chunkClues(input: GuessInput): readonly Clue[] {
  const { acid, sampler } = input.hints;
  // Some machines write a loop of one frame where none is set.
  const isLooped = sampler !== undefined && sampler.endFrame > sampler.startFrame;
  const isHeldTone = isLooped && !isWholeSampler(input);
  return [
    ...(acid?.isOneShot === true ? [{ leaning: -3.5, reason: "chunk" as const }] : []),
    ...(isHeldTone ? [{ leaning: -3.5, reason: "chunk" as const }] : []),
  ];
}

/** Weighs a tempo by the number of beats: few beats may fit by chance. */
function tempoClues({ tempo, input, words }: KindClues): readonly Clue[] {
  if (tempo === null) return [];
  const { lengthBeats, source } = tempo;
  const reason = source === "length" ? "length" : "tempo";
  const share = source === "count" || lengthBeats >= 4 ? 1 : lengthBeats >= 2 ? 0.3 : 0;
  const most = source === "length" ? mostByLength(words, lengthBeats) : Number.POSITIVE_INFINITY;
  const leaning = Math.min(leaningOf(tempo, input) * share, most);
  return leaning === 0 ? [] : [{ leaning, reason }];
}

/** Limits the evidence of a length, which may fit by chance, for what is named a one-shot and for a single bar. */
function mostByLength(words: readonly string[], lengthBeats: number): number {
  const leanings = words.map((word) => SOUND_WORDS.get(word)?.leaning ?? 0);
  const isCalledLoop = Math.max(0, ...leanings) >= 2.5;
  const lowest = Math.min(0, ...leanings);
  if (isCalledLoop) return Number.POSITIVE_INFINITY;
  const isEffect = words.some((word) => SOUND_WORDS.get(word)?.role === "fx");
  if (lowest > -1) return lengthBeats > 4 ? Number.POSITIVE_INFINITY : 1.3;
  if (lowest > -1.5) return lengthBeats > 4 && !isEffect ? Number.POSITIVE_INFINITY : 2;
  return isEffect || words.some((word) => RINGING.has(word)) ? 1 : 1.6;
}

function isOfDrums(words: readonly string[]): boolean {
  return words.some((word) => SOUND_WORDS.get(word)?.role === "drums");
}

function leaningOf({ source, lengthBeats, hasTail }: TempoGuess, input: GuessInput): number {
  const isWholeBar = lengthBeats % 4 === 0 || lengthBeats % 6 === 0;
  switch (source) {
    case "marked":
      return hasTail ? 2.5 : 3;
    case "number":
      return isWholeBar ? 3 : 1;
    case "folder":
    case "folder_marked":
      return hasTail ? (source === "folder_marked" && lengthBeats >= 8 ? SURE : 0.8) : 2;
    case "package":
    case "acid":
    case "tag":
      return 2.5;
    case "count":
      return 2.5;
    case "near":
    case "folder_near":
      return 1;
    case "region":
    case "smpl":
      return 2;
    case "length":
      return exactLeaning(input, lengthBeats);
    case "likely":
      return 0;
  }
}

/** Weighs a length that fits a tempo exactly. A file cut to a round number of seconds fits many tempi by chance. */
function exactLeaning(input: GuessInput, lengthBeats: number): number {
  const seconds = secondsOf(input);
  const isRound = (perSecond: number) => {
    const steps = seconds * perSecond;
    return Math.abs(steps - Math.round(steps)) * (input.sampleRateHz / perSecond) <= 1.5;
  };
  const isLongLoop = lengthBeats >= 16 && (Math.round(seconds) % 8 === 0 || !isRound(4));
  if (!isRound(4) && !isRound(10)) return 3;
  return (isRound(4) ? 0.8 : 1.2) + (isLongLoop ? 0.7 : 0);
}

function isExplicitLoop(meaning: WordMeaning | undefined): boolean {
  return meaning?.isExplicit === true && meaning.leaning > 0;
}

/** Converts log-odds to a share in hundredths, never quite 1: nobody has listened. */
function oddsToShare(logOdds: number): number {
  return Math.min(99, Math.round(100 / (1 + Math.exp(-logOdds)))) / 100;
}
