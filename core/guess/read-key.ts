/** A key in a name. */
export interface KeyInName {
  /** The key's name, such as `C minor`, `F# major`, or `C#` if the name doesn't say which. */
  readonly key: string;
  /** The text in the name. */
  readonly text: string;
  /** 0 to 1. */
  readonly confidence: number;
}

const START = "(?<![\\p{L}\\p{N}#])";
const END = "(?![\\p{L}\\p{N}#])";
const MODE = "(major|maj|minor|min|dur|moll|mineur|majeur)";
/** `C#min`, `Eb major`, `a-Moll`, `Fis-Dur`, `c_minor`. */
const SPELLED = new RegExp(
  `${START}([a-h])(#|b|is|es|s(?=[ _-]?(?:dur|moll))|[ _-]?sharp|[ _-]?flat)?[ _-]?${MODE}${END}`,
  "iu",
);
/** `la mineur`, `Sib majeur`, `re menor`. */
const SUNG = new RegExp(
  `${START}(do|r[eé]|mi|fa|sol|la|si)[ _-]?(#|b|di[eè]se|b[eé]mol|sostenido)?[ _-]?` +
    `(mineur|majeur|menor|mayor|minore|maggiore|min|maj|m)${END}`,
  "iu",
);
/** `Am`, `F#m`; a number after it makes it a chord, and `FM` is a kind of synthesis. */
const SHORT = new RegExp(`${START}([A-G])(#|b)?(m)(?![\\p{L}\\p{N}#])`, "u");
/** `f#m`, `ebm`: unmistakable even in lower case. */
const SHORT_LOWER = new RegExp(`${START}([a-g])(#|b)m(?![\\p{L}\\p{N}#])`, "u");
/** `am` after a tempo: `120_am_pad`. */
const SHORT_AFTER_TEMPO =
  /(?<=(?<!\d)(?:[5-9]\d|1\d\d)(?: ?bpm)?[ _-]{1,3})([a-g])()(m)(?![\p{L}\p{N}#])/u;
/** `C#`, `Eb`: neither major nor minor. */
const BARE = new RegExp(`${START}([A-G])(#|b)(?![\\p{L}\\p{N}#])`, "u");

const SYLLABLES: Readonly<Record<string, string>> = {
  do: "C",
  re: "D",
  mi: "E",
  fa: "F",
  sol: "G",
  la: "A",
  si: "B",
};

/** Reads a key from a name; null if there is none. A note with an octave, such as `C3`, isn't a key. */
export function readKey(stem: string): KeyInName | null {
  const name = stem.replaceAll("♯", "#").replaceAll("♭", "b");
  const spelled = SPELLED.exec(name);
  if (spelled !== null) return keyOf(spelled, 0.97);
  const sung = SUNG.exec(name);
  if (sung !== null) {
    const [text, syllable = "", sign, mode] = sung;
    const letter = SYLLABLES[syllable.toLowerCase().replace("é", "e")] ?? "";
    return keyOf(Object.assign([text, letter, signOf(sign ?? ""), mode]), 0.95);
  }
  const short = SHORT.exec(name) ?? SHORT_LOWER.exec(name);
  if (short !== null) return keyOf(short, 0.9);
  const bare = BARE.exec(name);
  if (bare !== null) return keyOf(bare, 0.6);
  const late = SHORT_AFTER_TEMPO.exec(name);
  return late && keyOf(late, 0.6);
}

function keyOf(match: readonly (string | undefined)[], confidence: number): KeyInName {
  const [text = "", letter = "", sign = "", mode = ""] = match;
  const isGerman = /^(?:dur|moll)$/i.test(mode);
  const upper = letter.toUpperCase();
  const isPlainGermanB = isGerman && upper === "B" && sign === "";
  const tonic = upper === "H" ? "B" : isPlainGermanB ? "Bb" : `${upper}${signOf(sign)}`;
  const words = mode === "" ? "" : isMinor(mode) ? " minor" : " major";
  return { key: `${tonic}${words}`, text, confidence };
}

function isMinor(mode: string): boolean {
  return mode === "m" || /^(?:min|moll|men)/i.test(mode);
}

function signOf(sign: string): string {
  const plain = sign.toLowerCase().replaceAll(/[ _-]/g, "");
  if (plain === "") return "";
  return /^(?:#|is|sharp|di|sost)/.test(plain) ? "#" : "b";
}

/**
 * Checks whether a name has a note with an octave, such as `C3` or `F#-1`, or a pitch such as `55 Hz`: a single tone.
 */
export function hasNote(stem: string): boolean {
  if (/(?<![\d.,])\d{2,3} ?hz(?!\p{L})/iu.test(stem)) return true;
  return /(?<![\p{L}\p{N}#])[A-Ga-g](?:#|b)?-?[0-8](?![\p{L}\p{N}])/u.test(stem);
}

/** Checks whether a name has one chord, such as `Fm7` or `Gsus4`. */
export function hasChord(stem: string): boolean {
  return /(?<![\p{L}\p{N}#])[A-G](?:#|b)?(?:m|maj|min|sus|dim|aug|add)?(?:6|7|9|11|13|sus[24]|add9)(?![\p{L}\p{N}])/u.test(
    stem.replaceAll(/\d{2,}/g, (digits) => (/^(?:11|13)$/.test(digits) ? digits : "  ")),
  );
}
