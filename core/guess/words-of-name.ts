import { withoutAccents } from "../text/fold-case.ts";
import { GENRES, SOUND_WORDS } from "./sound-words.ts";

/** Endings of audio files; others belong to the name, such as `.3` in `Loop 97.3`. */
const EXTENSION =
  /\.(?:wave?|aiff?|aifc|flac|mp3|m4a|mp4|aac|ogg|oga|opus|caf|w64|rf64|bwf|wma|rx2|webm)$/i;

/** Returns a file's name without the extension of an audio file. */
export function stemOf(fileName: string): string {
  const stem = fileName.normalize("NFC").replace(EXTENSION, "");
  return stem === "" ? fileName : stem;
}

/** Phrases that mean one thing, and the one word for each. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:dn b|d n b|d b|drums? (?:n|and|und) bass)\b/g, "dnb"],
  [/\br n? ?b\b/g, "rnb"],
  [/\b(?:one|1) shots?\b/g, "oneshot"],
  [/\bhi hat\b/g, "hihat"],
  [/\bhi hats\b/g, "hihats"],
  [/\bbass drum\b/g, "bassdrum"],
  [/\bgrosse caisse\b/g, "grossecaisse"],
  [/\bcaisse claire\b/g, "caisseclaire"],
  [/\bside stick\b/g, "sidestick"],
  [/\bwood block\b/g, "woodblock"],
  [/\bcow bell\b/g, "cowbell"],
  [/\bfill in\b/g, "fill"],
  [/\bfinger snaps?\b/g, "snap"],
  [/\bhand claps?\b/g, "clap"],
  [/\bbass guitar\b|\bguitar bass\b/g, "bassguitar"],
  [/\b(?:sub|bass) drop\b/g, "subdrop"],
  [/\b(?:tape|vinyl|power|turntable) stop\b/g, "tapestop"],
  [/\b(?:spin|wind) back\b/g, "spinback"],
  [/\bbuild ups?\b/g, "buildup"],
  [/\bride bell\b/g, "ride"],
  [/\bone drop\b/g, "onedrop"],
  [/\bvoice (?:notes?|memos?)\b/g, "voice"],
  [/\bfield rec(?:ording)?s?\b/g, "fieldrecording"],
  [/\b(?:glass|window) (?:break|breaking|smash)\b/g, "smash"],
  [/\barp (?:2600|odyssey|solina|omni|axxe|quadra)\b/g, "synth"],
  [/\be piano\b|\belectric piano\b/g, "epiano"],
  [/\bfull mix\b/g, "fullmix"],
  [/\bsynth bass\b|\bbass synth\b/g, "subbass"],
  [/\blo fi\b/g, "lofi"],
  [/\bhip hop\b/g, "hiphop"],
  [/\bboom bap\b/g, "boombap"],
  [/\btrip hop\b/g, "triphop"],
  [/\b(?:two|2) step\b/g, "twostep"],
  [/\buk garage\b/g, "ukg"],
  [/\bjump up\b/g, "jumpup"],
  [/\bbig room\b/g, "bigroom"],
  [/\bfuture bass\b/g, "futurebass"],
  [/\bjersey club\b/g, "jerseyclub"],
  [/\bdrum funk\b/g, "drumfunk"],
  [/\bair horn\b/g, "airhorn"],
  [/\bgun shot\b/g, "gunshot"],
  // What is left out isn't heard.
  [/\b(?:no|without|minus|less|ohne|sans|sin) \p{L}+/gu, " "],
];

/** Returns a name in lower case without accents, its words apart: `DnB_TopLoop-170` is `dnb top loop 170`. */
export function simplify(name: string): string {
  const spaced = withoutAccents(
    name
      .normalize("NFC")
      .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
      .replaceAll(/(\p{L})(?=\d)|(\d)(?=\p{L})/gu, "$1$2 "),
  )
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  return PHRASES.reduce((text, [phrase, word]) => text.replaceAll(phrase, word), spaced);
}

/** Returns the known words of a name; a compound such as `drumloop` gives both of its words. */
export function wordsOfName(name: string): readonly string[] {
  if (DRUM_VOICE.test(name)) return ["drum", "hits"];
  return simplify(name)
    .split(" ")
    .flatMap((word) => (isKnown(word) ? [word] : partsOf(word)))
    .filter(isKnown);
}

/** A voice of a drum machine, with its settings: `CY0010`, `LT75`. */
const DRUM_VOICE =
  /^(?:BD|SD|SN|CY|CB|CH|CL|CP|CR|HC|HH|HT|LC|LT|MA|MC|MT|OH|RD|RS|BT)[ _-]?\d{0,4}$/;

function isKnown(word: string): boolean {
  return SOUND_WORDS.has(word) || GENRES.has(word);
}

const SHORTEST_PART = 3;
const LONGEST_UNSPACED = 40;
const ENDING = /..(loop|kick|snare|clap|drum|brk)s?$/;
const BEGINNING = /^(kick|snare|cymbal|rimshot|hihat|cowbell|guitar|piano|vocal|synth)./;

/** Scripts without spaces between words. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+$/u;
/** A particle between two words, as in `ドラムのループ`. */
const PARTICLE = "の";

/** Splits a text without spaces into known words; undefined if something is left over, which may change their meaning. */
function splitUnspaced(text: string): readonly string[] | undefined {
  if (text === "") return [];
  for (let end = text.length; end > 0; end -= 1) {
    const word = text.slice(0, end);
    if (!isKnown(word) && word !== PARTICLE) continue;
    const rest = splitUnspaced(text.slice(end));
    if (rest !== undefined) return word === PARTICLE ? rest : [word, ...rest];
  }
  return undefined;
}

function partsOf(word: string): readonly string[] {
  if (UNSPACED.test(word)) return word.length > LONGEST_UNSPACED ? [] : (splitUnspaced(word) ?? []);
  for (let at = word.length - SHORTEST_PART; at >= SHORTEST_PART; at -= 1) {
    const parts = [word.slice(0, at), word.slice(at)];
    if (parts.every(isKnown)) return parts;
  }
  const part = ENDING.exec(word)?.[1] ?? BEGINNING.exec(word)?.[1];
  return part === undefined ? [] : [part];
}
