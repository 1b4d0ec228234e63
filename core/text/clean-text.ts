/** The rule for one kind of text. */
export interface TextRule {
  /** Matches each code point to replace with a space; needs the flags `g` and `u`. */
  readonly unusable: RegExp;
  /** Code points. */
  readonly maxLength: number;
}

/** A cleaned text and how it changed. */
export interface CleanedText {
  /** Empty if nothing visible is left. */
  readonly text: string;
  /** `cut` takes precedence over `cleaned`; NFC and collapsed spaces alone are `none`. */
  readonly change: "none" | "cleaned" | "cut";
}

/** UTF-16 units to process. Sorting combining marks is quadratic: 64,000 of them would block for seconds. */
const MAX_UNITS = 1024;
const HAS_VISIBLE_CHARACTER = /[^\p{M}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
/** A grapheme cluster: a base with its marks, a flag, an emoji sequence. */
const CLUSTER =
  /(?:\p{Regional_Indicator}{2}|[^])(?:[\p{M}\p{Emoji_Modifier}\u200c\u{e0020}-\u{e007f}]|\u200d[^]?)*/gu;

/**
 * Normalizes to NFC, replaces unusable code points with spaces, collapses and trims spaces, and cuts to
 * the rule's length (rule M6). Idempotent.
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

/** Cuts between grapheme clusters, unless the first alone exceeds `maxLength` code points. */
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
