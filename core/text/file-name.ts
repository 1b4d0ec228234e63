import { HAS_VISIBLE_CHARACTER } from "./clean-text.ts";
import { utf8Length } from "./utf8.ts";

/** Longest portable file or folder name, in UTF-8 bytes. */
export const MAX_NAME_BYTES = 255;

/**
 * Characters that are forbidden on some system or unsafe to display: reserved, control, line break, bidi,
 * noncharacter.
 */
const FORBIDDEN =
  /[<>:"/\\|?*\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Noncharacter_Code_Point}\ufeff]/gu;
/** Windows device names, with any extension. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³]|conin\$|conout\$) *(?:\.|$)/i;
const IS_MARK = /^\p{M}$/u;

/**
 * Returns an unused file name, safe on macOS, Windows and Linux, of at most 255 UTF-8 bytes (rule F1).
 * Duplicates get ` 2`, ` 3` and so on before the extension.
 * @param extension with its dot, such as `.wav`
 * @param taken whether a candidate is in use, compared by `clashKey`; must become false eventually
 */
export function fileNameFor(
  name: string,
  extension: string,
  taken: (candidate: string) => boolean,
): string {
  return freeName(toSafeName(name, "Sound"), extension, taken);
}

/** Checks whether a name is one that `fileNameFor` may give a file with this extension: safe on every system. */
export function isPortableFileName(name: string, extension: string): boolean {
  if (!name.toLowerCase().endsWith(extension)) return false;
  const stem = name.slice(0, -extension.length);
  return stem !== "" && fileNameFor(stem, name.slice(stem.length), () => false) === name;
}

/** Returns an unused folder name for a package, with the rules of `fileNameFor` (rule F1). */
export function folderNameFor(title: string, taken: (candidate: string) => boolean): string {
  return freeName(toSafeName(title, "Untitled"), "", taken);
}

/**
 * Returns a key that ignores letter case, Unicode composition and invisible characters: names with equal keys may
 * collide on some file system.
 */
export function clashKey(name: string): string {
  return name
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .toUpperCase()
    .normalize("NFC");
}

function freeName(stem: string, extension: string, taken: (candidate: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? extension : ` ${number}${extension}`;
    const candidate = cutToBytes(stem, MAX_NAME_BYTES - utf8Length(ending)) + ending;
    if (!taken(candidate)) return candidate;
  }
}

/** Removes unsafe characters and avoids device names; doesn't limit the length. */
function toSafeName(name: string, fallback: string): string {
  const safe = trimDots(name.normalize("NFC").replaceAll(FORBIDDEN, " ").replaceAll(/\s+/g, " "));
  if (!HAS_VISIBLE_CHARACTER.test(safe)) return fallback;
  return DEVICE_NAME.test(safe) ? `_${safe}` : safe;
}

/** Trims dots and spaces: leading dots hide a file, and Windows drops trailing ones. */
function trimDots(name: string): string {
  return name.replace(/^[. ]+/, "").replace(/[. ]+$/, "");
}

/** Cuts to `maxBytes` without separating a letter from its marks. */
function cutToBytes(text: string, maxBytes: number): string {
  let bytes = 0;
  let end = 0;
  let lastLetter = 0;
  for (const character of text) {
    if (!IS_MARK.test(character)) lastLetter = end;
    bytes += utf8Length(character);
    // A single letter with too many marks is cut among its marks.
    if (bytes > maxBytes) return trimDots(text.slice(0, lastLetter > 0 ? lastLetter : end));
    end += character.length;
  }
  return text;
}
