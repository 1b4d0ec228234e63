import type { SoundRole } from "../manifest/manifest.ts";
import { inEnglish } from "../messages/translate.ts";
import { applyHeard } from "./apply-heard.ts";
import { guessKind, type KindGuess } from "./guess-kind.ts";
import { guessTempo, type TempoGuess, type TempoSource } from "./guess-tempo.ts";
import { guessSoundTitle } from "./guess-title.ts";
import { likelyTempo } from "./loop-lengths.ts";
import { readNumbers } from "./numbers-in-name.ts";
import { hasChord, hasNote, readKey } from "./read-key.ts";
import {
  formatReasons,
  type GuessInput,
  type GuessReason,
  plainReason,
  type SoundGuess,
} from "./sound-guess.ts";
import { GENRES, SOUND_WORDS, type TempoRange } from "./sound-words.ts";
import { stemOf, wordsOfName } from "./words-of-name.ts";

/** Guesses what a sound is from its name, its folder, its length and what its file says (rules Y1 to Y5, Y11). */
export function guessSound(input: GuessInput): SoundGuess {
  const stem = stemOf(input.fileName);
  const folder = input.folderName ?? "";
  const [words, folderWords] = [wordsOfName(stem), wordsOfName(folder)];
  const [numbers, folderNumbers] = [readNumbers(stem), readNumbers(folder)];
  const range = numbers.range ?? folderNumbers.range ?? rangeOf([...folderWords, ...words]);
  const tempo = guessTempo({
    input,
    numbers,
    folderNumbers,
    range,
    isLoopByName: [...words, ...folderWords].some((word) => leaningOf(word) >= LOOP_LEANING),
    isBreak: [...words, ...folderWords].some((word) => SOUND_WORDS.get(word)?.isBreak === true),
  });
  const kind = guessKind({
    input,
    words,
    folderWords,
    hasNote: hasNote(stem),
    hasChord: hasChord(stem),
    tempo,
  });
  const ownKey = readKey(stem);
  const role = guessRole(words, folderWords, stem, ownKey !== null);
  // A folder's key is that of its music; a hit, or a note with its own pitch, is in none.
  const isInKey = kind.kind !== "oneshot" && role.role !== "drums" && !hasNote(stem);
  const key = ownKey ?? (isInKey ? readKey(folder) : null);
  const loop = kind.kind === "oneshot" ? null : tempo;
  const tempoText =
    isOfName(tempo) && (loop !== null || tempo.source === "marked") ? tempo.text : "";
  const title = guessSoundTitle({ stem, numbers, tempoText, keyText: key?.text ?? "" });
  const reasons = reasonsOf({ ...kind, word: asWritten(stem, kind.word) }, loop);
  const guess: SoundGuess = {
    title: title.title,
    kind: kind.kind,
    role: role.role,
    bpm: loop?.bpm ?? null,
    lengthBeats: loop?.lengthBeats ?? null,
    likely: loop === null && kind.kind !== "oneshot" ? likelyTempo(input, range) : null,
    key: key?.key ?? null,
    confidence: {
      kind: kind.confidence,
      bpm: loop?.confidence ?? 0,
      role: role.confidence,
      key: key?.confidence ?? 0,
      title: title.confidence,
    },
    because: formatReasons(inEnglish, reasons),
    reasons,
  };
  return applyHeard(guess, input, range);
}

/** The least leaning of a word that says that a sound is a loop. */
const LOOP_LEANING = 2.5;

function leaningOf(word: string): number {
  return SOUND_WORDS.get(word)?.leaning ?? 0;
}

/** Returns the usual tempi of the last style in a name. */
function rangeOf(words: readonly string[]): TempoRange | null {
  const style = words.findLast((word) => GENRES.has(word));
  return (style !== undefined && GENRES.get(style)) || null;
}

/** Checks whether a tempo is a number in the sound's own name. */
function isOfName(tempo: TempoGuess | null): tempo is TempoGuess {
  return tempo !== null && ["marked", "number", "near"].includes(tempo.source);
}

const TEMPO_REASONS = {
  marked: "guess.in_name",
  number: "guess.in_name",
  near: "guess.near_name",
  folder_marked: "guess.in_folder",
  folder: "guess.in_folder",
  folder_near: "guess.near_folder",
  package: "guess.package",
  count: "guess.count",
  acid: "guess.acid",
  tag: "guess.tag",
  length: "guess.length",
  region: "guess.region",
  smpl: "guess.smpl",
  likely: "guess.likely",
} as const satisfies Record<TempoSource, GuessReason["key"]>;

function reasonsOf(kind: KindGuess, loop: TempoGuess | null): readonly GuessReason[] {
  const tempo = loop === null ? [] : [tempoReason(loop)];
  if (kind.kind === null) return [plainReason("guess.nothing"), ...tempo];
  if (kind.kind === "oneshot") return [kindReason(kind)];
  const own = kind.because === "word" || kind.because === "folder" ? [kindReason(kind)] : [];
  return [...own, ...(loop === null ? [plainReason("guess.tempo_unknown")] : tempo)];
}

function tempoReason({ source, hasTail, text, lengthBeats: count }: TempoGuess): GuessReason {
  if (hasTail && source === "marked") return { key: "guess.in_name_tail", text, count };
  if (hasTail && source === "folder_marked") return { key: "guess.in_folder_tail", text, count };
  return { key: TEMPO_REASONS[source], text, count };
}

function kindReason({ kind, because, word: text }: KindGuess): GuessReason {
  switch (because) {
    case "word":
      return { key: kind === "loop" ? "guess.word_loop" : "guess.word_oneshot", text, count: 0 };
    case "folder":
      return plainReason(kind === "loop" ? "guess.folder_loop" : "guess.folder_oneshot");
    case "short":
    case "note":
    case "chunk":
      return plainReason(`guess.${because}`);
    case "length":
    case "tempo":
      return plainReason("guess.no_tempo");
    case "nothing":
      return plainReason("guess.nothing");
  }
}

/** Returns a word as the name spells it: `subdrop` is written `Sub Drop`. */
function asWritten(stem: string, word: string): string {
  if (word === "") return "";
  const letters = Array.from(word, (letter) => letter.replace(/[^\p{L}\p{N}]/u, ""));
  const spelled = letters.join("[ _.-]?\\p{M}*");
  const found = new RegExp(`${spelled}\\p{M}*`, "iu").exec(stem.normalize("NFKD"))?.[0];
  return found?.normalize("NFC") ?? word;
}

/** A role and how sure it is, from 0 to 1. */
interface RoleGuess {
  readonly role: SoundRole | null;
  readonly confidence: number;
}

/** Words that name a sound itself count more than those that name its kind. */
const WEAK = new Set(
  (
    "fx sfx synth ambient room chop chops key rise noise swell reverse build buildup click slap knock " +
    "stab stabs sub chord burst crowd drop drops foley groove grooves beat rhythm"
  ).split(" "),
);

/**
 * Guesses a role from the words of a name, else of its folder; in a tie the last word wins.
 * @param hasKey whether the name has a key: then a folder such as `Kitchen Kit` doesn't make it drums
 */
function guessRole(
  words: readonly string[],
  folderWords: readonly string[],
  stem: string,
  hasKey = false,
): RoleGuess {
  const own = strongestRole(words);
  if (own !== null) return { role: own, confidence: 0.9 };
  if (/(?<!\d)(?:808|303)s?(?!\d)/.test(stem)) return { role: "bass", confidence: 0.6 };
  const folder = strongestRole(folderWords);
  if (folder === null || (folder === "drums" && hasKey)) return { role: null, confidence: 0 };
  return { role: folder, confidence: 0.6 };
}

function strongestRole(words: readonly string[]): SoundRole | null {
  const weights = new Map<SoundRole, number>();
  for (const word of words) {
    const role = SOUND_WORDS.get(word)?.role;
    if (role === undefined) continue;
    const weight = (weights.get(role) ?? 0) + (WEAK.has(word) ? 1 : 2);
    weights.delete(role);
    weights.set(role, weight);
  }
  const [strongest] = [...weights].toReversed().toSorted(([, one], [, other]) => other - one);
  return strongest?.[0] ?? null;
}
