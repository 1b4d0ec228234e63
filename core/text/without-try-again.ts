/** Removes a trailing “Try again …”, for errors that are retried automatically. */
export function withoutTryAgain(sentence: string): string {
  return sentence.replace(/ Try again[^.]*\.$/, "");
}
