/** Truncates to `maxUnits` UTF-16 units including the `…`, without splitting a surrogate pair. */
export function shorten(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text;
  if (maxUnits < 1) return "";
  let end = maxUnits - 1;
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end -= 1;
  return `${text.slice(0, end).trimEnd()}…`;
}

/** Replaces control, bidi and line break characters with a space. Safe to print in a terminal. */
export function onOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, " ");
}

/** Returns the length in UTF-8 bytes. A lone surrogate counts as 3, like the replacement character. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    bytes += codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  }
  return bytes;
}
