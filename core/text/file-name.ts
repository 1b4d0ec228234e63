import { utf8Length } from "./utf8-length.ts";

/** The longest name of a file or folder that every file system takes, in UTF-8 bytes. */
export const MAX_NAME_BYTES = 255;

/**
 * What no name may hold somewhere: Windows' forbidden characters, controls, line breaks, what turns
 * text around, what is no character.
 */
const FORBIDDEN =
  /[<>:"/\\|?*\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Noncharacter_Code_Point}\ufeff]/gu;
/** Windows takes these for devices, whatever follows the first dot. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³]|conin\$|conout\$) *(?:\.|$)/i;
const IS_MARK = /^\p{M}$/u;
const HAS_VISIBLE_CHARACTER = /[^\p{M}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

/**
 * A free file name for a sound, safe on macOS, Windows and Linux (rule F1). A name that is taken gets
 * ` 2`, ` 3` and so on before the extension; the whole takes at most 255 bytes in UTF-8.
 *
 * @param extension with its dot, such as `.wav`
 * @param taken whether a candidate is in use; compare by `clashKey`. It must be false for some number.
 */
export function fileNameFor(
  name: string,
  extension: string,
  taken: (candidate: string) => boolean,
): string {
  return freeName(toSafeName(name, "Sound"), extension, taken);
}

/** A free folder name for a package, as `fileNameFor`, without an extension (rule F1). */
export function folderNameFor(title: string, taken: (candidate: string) => boolean): string {
  return freeName(toSafeName(title, "Untitled"), "", taken);
}

/**
 * Two names with the same key can't be trusted to be two names everywhere: letter case, composed or
 * decomposed letters and invisible characters make no difference in it.
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

/** A name of any length without anything that a file system or a file browser stumbles over. */
function toSafeName(name: string, fallback: string): string {
  const safe = trimDots(name.normalize("NFC").replaceAll(FORBIDDEN, " ").replaceAll(/\s+/g, " "));
  if (!HAS_VISIBLE_CHARACTER.test(safe)) return fallback;
  return DEVICE_NAME.test(safe) ? `_${safe}` : safe;
}

/** Leading dots hide a file, trailing dots and spaces are lost on Windows. */
function trimDots(name: string): string {
  return name.replace(/^[. ]+/, "").replace(/[. ]+$/, "");
}

/** Cuts before the first character that does not fit, and never between a letter and its marks. */
function cutToBytes(text: string, maxBytes: number): string {
  let bytes = 0;
  let end = 0;
  let lastLetter = 0;
  for (const character of text) {
    if (!IS_MARK.test(character)) lastLetter = end;
    bytes += utf8Length(character);
    // A letter with so many marks that nothing else fits is cut all the same.
    if (bytes > maxBytes) return trimDots(text.slice(0, lastLetter > 0 ? lastLetter : end));
    end += character.length;
  }
  return text;
}
