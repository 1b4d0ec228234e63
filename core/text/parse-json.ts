/** The value of a JSON text; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Text from elsewhere may be anything; what follows from that is the caller's affair.
    return undefined;
  }
}
