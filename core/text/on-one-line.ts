/** A text that can do nothing to a terminal or to the lines around it. */
export function onOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, " ");
}
