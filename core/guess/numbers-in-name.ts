import { MAX_BPM, MAX_LENGTH_BEATS, MIN_BPM } from "../limits.ts";
import type { TempoRange } from "./sound-words.ts";
import { wordsOfName } from "./words-of-name.ts";

/** A number in a name that may be a tempo. */
export interface TempoNumber {
  readonly bpm: number;
  /** True if it is next to `bpm`. */
  readonly isMarked: boolean;
  /** The text in the name, such as `130 BPM`. */
  readonly text: string;
}

/** The numbers of one name. */
export interface NumbersInName {
  /** Numbers that may be a tempo, in the order of the name, those next to `bpm` first. */
  readonly tempos: readonly TempoNumber[];
  /** The range in a name such as `100-110 BPM`; null without one. */
  readonly range: TempoRange | null;
  /** The length in a name such as `4 bars` or `16 beats`; null without one. */
  readonly lengthBeats: number | null;
  /** 3 if the name says 3/4 or waltz, else 4. */
  readonly beatsPerBar: number;
  /** The name with every known number blanked out, for a title. */
  readonly rest: string;
}

const NUMBER = "\\d{1,3}(?:[.,]\\d{1,3})?";
const BPM = "b\\.?p\\.?m\\.?s?";
const MARKED = [
  new RegExp(`(?<![\\d.,])(${NUMBER})[ _-]{0,3}${BPM}(?![a-z])`, "gi"),
  new RegExp(`(?<![a-z])(?:${BPM}|tempo)[ _:=-]{0,3}(${NUMBER})(?!\\d)`, "gi"),
];
const RANGE = new RegExp(
  `(?<![\\d.,])([5-9]\\d|[12]\\d\\d)[ _]?(?:-|–|to)[ _]?([5-9]\\d|[12]\\d\\d)[ _-]{0,2}${BPM}(?![a-z])`,
  "i",
);
/** Numbers of something else: dates, times, formats, units, versions, ordinals, models. */
const OTHERS = [
  /(?<!\d)(?:19|20)\d\d[-_. ]?(?:0[1-9]|1[0-2])[-_. ]?(?:0[1-9]|[12]\d|3[01])(?!\d)/g,
  /(?<!\d)\d{1,2}[-.](?:0[1-9]|1[0-2])[-.](?:19|20)?\d\d(?!\d)/g,
  /(?<!\d)\d{1,2}(?:[-_.:]\d\d){2}(?!\d)/g,
  /(?<!\d)(?:16|24|32)[ _-]?(?:bits?)?[ _x/-](?:44|48|88|96|176|192)(?:[.,]?[12])?(?:k|000|100|200|400)?(?:hz)?(?!\d)/gi,
  /(?<!\d)(?:8|16|20|24|32|64)[ _-]?bits?(?![a-z])/gi,
  /(?<!\d)\d+(?:[.,]\d+)?[ _-]?k?hz(?![a-z])/gi,
  /(?<!\d)\d{2,3}(?:[.,]\d+)?k\d?(?![a-z\d])/gi,
  /(?<!\d)(?:22050|(?:320|441|480|882|960|1764|1920)00)(?!\d)/g,
  // No unit that a key could be: `120_Cm`, `120 Db`.
  /(?<!\d)\d+(?:[.,]\d+)?[ _-]?(?:ms|millis|secs?|seconds?|cents?|semis?|semitones?|percent|pct)(?![a-z])/gi,
  /(?<!\d)\d+(?:s|in|cm|mm|dB|st|ct)(?![A-Za-z])/g,
  /(?<!\d)\d+(?:[.,]\d+)?\s?%/g,
  /(?<!\d)\d+(?:ths?|nds?|rds?)(?![a-z])/gi,
  /(?<!\d)1[-_/](?:4|8|16|32)(?!\d)/g,
  /(?<![a-z])(?:v|ver|version|take|tk|pt|part|no|nr|num|vol|volume|track|trk|disc|disk|cd|side|mk|mark|vel|velocity|layer|rr|mic|cue|nº|n°|id|img|dsc)[ ._-]{0,2}\d+/gi,
  /#\d+/g,
  /(?<![a-z])(?:sh|cz)[ _-]?101|(?<![a-z])juno[ _-]?(?:60|106)|(?<![a-z])cr[ _-]?(?:68|78)/gi,
  /(?<![a-z])dr[ _-]?(?:55|110|220)|(?<![a-z])mpc[ _-]?60|(?<![a-z])dx[ _-]?100|(?<![a-z])tx[ _-]?81z?/gi,
  /(?<![a-z])(?:kpr|sy|mc|cs|sc|sp|vp|ms)-\d{2,3}|(?<![a-z])wurli(?:tzer)?[ _-]?(?:140|200)[ab]?/gi,
  /(?<![A-Za-z])(?:D-50|D-70|D-110|U-110|U-220|S-50|R-70|JX-\d+P?)/g,
];
/** `92 Beat` is a tempo and a noun: a number of single beats ends below the tempi. */
const COUNTED =
  /(?<![\d.,])([1-4]?\d|64|96|128)[ _-]?(bars?|beats?|takte?|mesures?|compases)(?![a-z])/i;
const COUNTED_WORD = /(?<![a-z])(one|two|four|eight|sixteen)[ _-](bars?|beats?)(?![a-z])/i;
const COUNTS: Readonly<Record<string, number>> = { one: 1, two: 2, four: 4, eight: 8, sixteen: 16 };
const THREE_FOUR = /(?<!\d)(?:3[-_/]4|6[-_/]8|12[-_/]8)(?!\d)|waltz|walzer|valse/i;
/** Slower and faster bare numbers are counters, degrees or models. */
const [SLOWEST_BARE, FASTEST_BARE] = [50, 220];
/** A key, which may directly follow a tempo: `138Am`. */
const KEY = /^[A-G](?:b?(?:m|min|maj)?)$/;
const BARE = /(?<![\d.,])\d{2,3}(?:[.,]\d{1,2})?(?![\d])/g;

/** Reads the numbers of a name and what each of them counts. */
export function readNumbers(stem: string): NumbersInName {
  const pair = RANGE.exec(stem);
  const octaves = octavesOf(pair);
  const range = octaves.length > 0 ? null : pair;
  const marked: TempoNumber[] = [...octaves];
  let rest = pair === null ? stem : stem.replace(pair[0], blank(pair[0]));
  for (const pattern of MARKED) {
    rest = rest.replaceAll(pattern, (text, number: string) => {
      const bpm = valueOf(number);
      if (bpm < MIN_BPM || bpm > MAX_BPM) return text;
      marked.push({ bpm, isMarked: true, text: text.replaceAll(/_+/g, " ").trim() });
      return blank(text);
    });
  }
  const meter = THREE_FOUR.exec(rest)?.[0] ?? "";
  const beatsPerBar = meter === "" ? 4 : 3;
  const counted = COUNTED.exec(rest) ?? COUNTED_WORD.exec(rest);
  const withoutCount = counted === null ? rest : rest.replace(counted[0], blank(counted[0]));
  const searched = OTHERS.reduce(
    (text, pattern) => text.replaceAll(pattern, blank),
    withoutCount.replace(/\d+[-_/]\d+(?!\d)/, (text) => (text === meter ? blank(text) : text)),
  );
  return {
    tempos: [...marked, ...(marked.length > 0 ? [] : readBare(searched))],
    range: range === null ? null : [Number(range[1]), Number(range[2])],
    lengthBeats: counted === null ? null : beatsOf(counted, beatsPerBar),
    beatsPerBar,
    rest: withoutCount,
  };
}

/**
 * Reads bare numbers. A letter next to a number makes it a name (`SM101`, `BD75`), unless the word is known
 * (`loop120`).
 */
function readBare(text: string): readonly TempoNumber[] {
  return [...text.matchAll(BARE)].flatMap((match) => {
    const { 0: number, index } = match;
    const bpm = valueOf(number);
    if (bpm < SLOWEST_BARE || bpm > FASTEST_BARE) return [];
    const before = /\p{L}+$/u.exec(text.slice(0, index))?.[0];
    const after = /^\p{L}+/u.exec(text.slice(index + number.length))?.[0];
    const isName =
      (before !== undefined && isUnknown(before)) ||
      (after !== undefined && isUnknown(after) && !KEY.test(after));
    return isName ? [] : [{ bpm, isMarked: false, text: number }];
  });
}

/** Returns both numbers of a tempo with its half, as in `87-174 BPM`, the one at the unit first; else none. */
function octavesOf(pair: RegExpExecArray | null): readonly TempoNumber[] {
  if (pair === null) return [];
  const tempos = [Number(pair[2]), Number(pair[1])];
  if (Math.max(...tempos) !== 2 * Math.min(...tempos)) return [];
  return tempos.map((bpm) => ({ bpm, isMarked: true, text: pair[0] }));
}

function isUnknown(word: string): boolean {
  return wordsOfName(word).length === 0;
}

function beatsOf([, number = "", unit = ""]: RegExpExecArray, beatsPerBar: number): number | null {
  const count = COUNTS[number.toLowerCase()] ?? Number(number);
  const beats = /^beat/i.test(unit) ? count : count * beatsPerBar;
  return beats > 0 && beats <= MAX_LENGTH_BEATS ? beats : null;
}

function valueOf(number: string): number {
  return Number(number.replace(",", "."));
}

/** Returns spaces of the length of a text. */
export function blank(text: string): string {
  return " ".repeat(text.length);
}
