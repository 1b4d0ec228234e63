import { strToU8, zipSync } from "fflate";
import { VERSION } from "../../core/version.ts";

/**
 * What Live knows an extension by. Live keeps an extension's data under its name and author: neither ever
 * changes (rule H10), or every pairing would be lost.
 */
const EXTENSION_MANIFEST = {
  name: "Soundferry",
  author: "Soundferry",
  version: VERSION,
  entry: "extension.js",
  minimumApiVersion: "1.0.0",
};

/** Zip files keep local time, so this is the same bytes in every time zone. */
const TIME = new Date(2020, 0, 1, 12);

/**
 * Packs an extension as Live installs it, with no more than is needed to be the same bytes each time.
 * @param code of the extension
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
