import { WrongUse } from "../fail.ts";

/** A SHA-256 as the records have it. @throws {WrongUse} */
export function parseSum(text: string): string {
  if (!/^[0-9a-f]{64}$/i.test(text)) {
    throw new WrongUse(`A sound is named by its SHA-256, 64 hex characters, not "${text}".`);
  }
  return text.toLowerCase();
}
