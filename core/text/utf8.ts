/** Returns the length in UTF-8 bytes. A lone surrogate counts as 3, like the replacement character. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) bytes += lengthOf(character.codePointAt(0) ?? 0);
  return bytes;
}

/** Encodes a text as UTF-8. A lone surrogate becomes the replacement character. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(utf8Length(text));
  let at = 0;
  for (const character of text) {
    const read = character.codePointAt(0) ?? 0;
    const codePoint = read >= 0xd800 && read <= 0xdfff ? 0xfffd : read;
    const length = lengthOf(codePoint);
    let rest = codePoint;
    for (let index = length - 1; index > 0; index -= 1) {
      bytes[at + index] = 0x80 | (rest & 0x3f);
      rest >>= 6;
    }
    bytes[at] = (LEADS[length] ?? 0) | rest;
    at += length;
  }
  return bytes;
}

/**
 * Decodes UTF-8; for short texts, such as names.
 * @throws {URIError} for bytes that aren't UTF-8
 */
export function decodeUtf8(bytes: Uint8Array): string {
  const escapes = Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, "0")}`);
  return decodeURIComponent(escapes.join(""));
}

/** The first byte's fixed bits by the character's length. */
const LEADS = [0, 0, 0xc0, 0xe0, 0xf0];

function lengthOf(codePoint: number): number {
  return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
}
