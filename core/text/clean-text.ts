/** What a kind of text may hold. */
export interface TextRule {
  /** Matches each code point that becomes a space; global and Unicode-aware. */
  readonly unusable: RegExp;
  /** Code points. */
  readonly maxLength: number;
}

/** A text after cleaning, and what it lost. */
export interface CleanedText {
  /** Empty where nothing visible is left. */
  readonly text: string;
  /** `cut` also where code points became spaces besides; Unicode NFC and fewer spaces alone are no change. */
  readonly change: "none" | "cleaned" | "cut";
}

/**
 * UTF-16 units that are looked at. Putting combining marks in order costs the square of their number:
 * 64,000 of them would keep the process busy for seconds.
 */
const MAX_UNITS = 1024;
const HAS_VISIBLE_CHARACTER = /[^\p{M}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
/** What people see as one character: a base with its marks, a flag, an emoji with its parts. */
const CLUSTER =
  /(?:\p{Regional_Indicator}{2}|[^])(?:[\p{M}\p{Emoji_Modifier}\u200c\u{e0020}-\u{e007f}]|\u200d[^]?)*/gu;

/**
 * Cleans a text: Unicode NFC, a space for each code point that can't be used, one space for several,
 * trimmed, cut to the rule's length (rule M6). Cleaning twice changes nothing more.
 */
export function cleanText(raw: string, { unusable, maxLength }: TextRule): CleanedText {
  const start = collapseSpaces(raw);
  const composed = start.slice(0, MAX_UNITS).normalize("NFC");
  const usable = composed.replaceAll(unusable, " ");
  const whole = collapseSpaces(usable);
  const text = cutText(whole, maxLength);
  const wasCut = text !== whole || start.length > MAX_UNITS;
  const change = wasCut ? "cut" : usable === composed ? "none" : "cleaned";
  return { text: HAS_VISIBLE_CHARACTER.test(text) ? text : "", change };
}

function collapseSpaces(text: string): string {
  return text.replaceAll(/\p{Zs}{2,}/gu, " ").replaceAll(/^\p{Zs}|\p{Zs}$/gu, "");
}

/** Never takes a character apart from its marks, unless it alone is longer than `maxLength` code points. */
function cutText(text: string, maxLength: number): string {
  let length = 0;
  let end = 0;
  for (const [cluster] of text.matchAll(CLUSTER)) {
    length += Array.from(cluster).length;
    if (length > maxLength) break;
    end += cluster.length;
  }
  const cut = end > 0 ? text.slice(0, end) : Array.from(text).slice(0, maxLength).join("");
  return collapseSpaces(cut);
}
