/** A sentence without its “Try again …” at the end, where something is retried automatically. */
export function withoutTryAgain(sentence: string): string {
  return sentence.replace(/ Try again[^.]*\.$/, "");
}
