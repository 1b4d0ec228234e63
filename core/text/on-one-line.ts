/** Replaces control, bidi and line break characters with a space. Safe to print in a terminal. */
export function onOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, " ");
}
