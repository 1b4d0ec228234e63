import { strToU8, zipSync } from "fflate";
import { VERSION } from "../../core/version.ts";

/**
 * Identifies the extension. Live stores an extension's data by its name and author, so neither ever changes
 * (rule H10): otherwise every pairing would be lost.
 */
export const EXTENSION_MANIFEST = {
  name: "Soundferry",
  author: "Soundferry",
  version: VERSION,
  entry: "extension.js",
  minimumApiVersion: "1.0.0",
};

/** Zip files store local time, so this gives the same bytes in every time zone. */
const TIME = new Date(2020, 0, 1, 12);

/**
 * Packs an extension for Live; the output is deterministic.
 * @param code the extension
 * @param more further files, by name
 */
export function packExtension(code: string, more: Readonly<Record<string, string>>): Uint8Array {
  const texts = {
    ...more,
    "manifest.json": `${JSON.stringify(EXTENSION_MANIFEST, null, 2)}\n`,
    [EXTENSION_MANIFEST.entry]: code,
  };
  const files = Object.entries(texts)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, text]) => [name, strToU8(text)] as const);
  return zipSync(Object.fromEntries(files), { level: 9, mtime: TIME });
}
