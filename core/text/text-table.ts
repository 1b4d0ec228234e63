export interface TableColumn {
  readonly heading: string;
  readonly align: "left" | "right";
}

/**
 * Formats a plain-text table: headings, a rule, the rows. Columns fit their widest cell by display
 * width, two spaces apart; lines have no trailing spaces.
 * @param rows one cell per column
 */
export function formatTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
): string[] {
  const headings = columns.map(({ heading }) => heading);
  const widths = columns.map((_, index) =>
    Math.max(...[headings, ...rows].map((row) => displayWidth(row[index] ?? ""))),
  );
  const rule = widths.map((width) => "─".repeat(width));
  return [headings, rule, ...rows].map((row) =>
    columns
      .map(({ align }, index) => pad(row[index] ?? "", widths[index] ?? 0, align))
      .join("  ")
      .trimEnd(),
  );
}

function pad(cell: string, width: number, align: TableColumn["align"]): string {
  const space = " ".repeat(width - displayWidth(cell));
  return align === "left" ? cell + space : space + cell;
}

/** Code point ranges two cells wide (Unicode East Asian Width W and F). */
const WIDE_RANGES: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x20000, 0x3fffd],
];

/** Zero-width characters: marks, controls, joiners, medial and final Hangul jamo. */
const HAS_NO_WIDTH = /[\p{Mn}\p{Me}\p{Cc}\p{Cf}\u1160-\u11ff\ud7b0-\ud7fb]/u;
const IS_FLAG_LETTER = /\p{Regional_Indicator}/u;
const IS_EMOJI = /\p{Emoji_Presentation}/u;
const IS_SKIN_TONE = /\p{Emoji_Modifier}/u;
/** Matches a text of Latin letters and dashes, which are all one cell wide. */
const IS_PLAIN = /^[ -~\u00a1-\u00ac\u00ae-\u02ff–—…]*$/;
const JOINER = "\u200d";
const EMOJI_STYLE = "\ufe0f";

/**
 * Returns the width in terminal cells: 2 for each CJK character and each emoji, including sequences, 0 for
 * combining marks. Terminals differ in rare scripts.
 */
export function displayWidth(text: string): number {
  if (IS_PLAIN.test(text)) return text.length;
  let width = 0;
  let previous = "";
  let previousWidth = 0;
  for (const character of text) {
    let added = widthOf(character);
    if (character === EMOJI_STYLE && previousWidth === 1) added = 1;
    if (isEmojiPart(character, previous)) added = 0;
    width += added;
    previous = character;
    previousWidth = added;
  }
  return width;
}

/** Checks whether a character continues the previous emoji, after a joiner or as its skin tone. */
function isEmojiPart(character: string, previous: string): boolean {
  return previous === JOINER
    ? /\p{Extended_Pictographic}/u.test(character)
    : IS_SKIN_TONE.test(character) && /\p{Emoji_Modifier_Base}/u.test(previous);
}

function widthOf(character: string): 0 | 1 | 2 {
  if (HAS_NO_WIDTH.test(character)) return 0;
  // A flag is two letters, one cell each.
  if (IS_FLAG_LETTER.test(character)) return 1;
  return IS_EMOJI.test(character) || isWide(character.codePointAt(0) ?? 0) ? 2 : 1;
}

function isWide(codePoint: number): boolean {
  return WIDE_RANGES.some(([first, last]) => first <= codePoint && codePoint <= last);
}
