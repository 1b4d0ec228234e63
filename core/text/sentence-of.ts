/** What an error says to people. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
