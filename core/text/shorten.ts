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
