import type { Setting } from "./settings.ts";

/**
 * The key that a relay may require from a new importer. It must be valid in a header.
 * @throws {Error} which never shows it
 */
export function parseRegistrationKey(text: string): string | undefined {
  if (/[^\x21-\x7e]/.test(text)) {
    throw new Error("must be plain letters, digits and signs, without spaces.");
  }
  return text;
}

/** Says that only one of them may be set. */
export const KEY_AND_FILE =
  "SOUNDFERRY_REGISTRATION_KEY and SOUNDFERRY_REGISTRATION_KEY_FILE can't both be set.";

/**
 * The same key in a file, whose line break at the end doesn't count (rule K12).
 * @param readText reads a file as text
 */
export function registrationKeyFile(
  readText: (path: string) => string,
): Setting<string | undefined> {
  return {
    variable: "SOUNDFERRY_REGISTRATION_KEY_FILE",
    meaning: "File with that key, in place of it.",
    fallback: undefined,
    read: (path) => {
      const key = readOr(path, readText).replace(/\r?\n$/, "");
      if (key === "") throw new Error(`names an empty file: ${path}.`);
      try {
        return parseRegistrationKey(key);
      } catch (cause) {
        throw new Error(`names a file with a space or a second line: ${path}.`, { cause });
      }
    },
  };
}

function readOr(path: string, readText: (path: string) => string): string {
  try {
    return readText(path);
  } catch (cause) {
    throw new Error(`names a file that can't be read: ${path}.`, { cause });
  }
}
