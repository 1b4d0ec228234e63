/** Parses JSON; returns undefined if the text is invalid, since callers treat bad input as missing. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
