/** Parses JSON; returns undefined if the text is invalid, since callers treat bad input as missing. */
export function parseJson(text: string): unknown {
  try {
    return parseJsonOrThrow(text);
  } catch {
    return undefined;
  }
}

/** Parses the JSON of a file, with or without a byte order mark. @throws {SyntaxError} */
export function parseJsonOrThrow(text: string): unknown {
  return JSON.parse(withoutMark(text));
}

/** Removes the byte order mark that some editors put in front of UTF-8 text. */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, "");
}

/** The end of a sentence about a file that Git LFS hasn't fetched (rule B8). */
export const IS_LFS_POINTER = "is a Git LFS pointer: run git lfs pull.";

/**
 * Says why a file isn't JSON, with the place of the first syntax error: `isn't valid JSON (line 12, column 5).`, or that
 * it `is a Git LFS pointer: …`
 */
export function formatJsonError(marked: string): string {
  const text = withoutMark(marked);
  if (text.startsWith("version https://git-lfs.github.com/")) return IS_LFS_POINTER;
  const lines = text.slice(0, findJsonError(text)).split("\n");
  const column = (lines.at(-1) ?? "").length + 1;
  return `isn't valid JSON (line ${lines.length}, column ${column}).`;
}

/** Returns the number of UTF-16 units of an invalid text that could begin valid JSON. */
export function findJsonError(text: string): number {
  let [valid, invalid] = [0, text.length + 1];
  while (invalid - valid > 1) {
    const middle = Math.floor((valid + invalid) / 2);
    if (isJsonPrefix(text.slice(0, middle))) valid = middle;
    else invalid = middle;
  }
  return valid;
}

/** Checks V8's error, which either reports an early end of input or has the position of the error. */
function isJsonPrefix(start: string): boolean {
  try {
    JSON.parse(start);
    return true;
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    const position = / at position (\d+)/.exec(message)?.[1];
    return position === undefined ? message.includes("end of JSON") : +position >= start.length;
  }
}
