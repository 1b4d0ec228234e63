import type { JsonObject } from "../text/json-object.ts";
import { MAX_PACKAGE_BYTES } from "../limits.ts";
import { refusal, type Refusal } from "../protocol/refusal.ts";
import type { Sound } from "./manifest.ts";

/** Finds what no repair can mend in the sounds of one package, asked for each in order (rule M3). */
export class SoundValidator {
  readonly #files = new Set<string>();
  readonly #isDigestNeeded: boolean;
  #totalBytes = 0;

  /** @param isDigestNeeded whether each sound must tell `bytes` and `sha256`; a local package need not */
  constructor(isDigestNeeded: boolean) {
    this.#isDigestNeeded = isDigestNeeded;
  }

  /**
   * The first thing against a sound, in the order of its fields; undefined where nothing is.
   * @param kept what the repair left of `raw`
   * @param label what the sentence calls the sound
   */
  refuse(raw: JsonObject, kept: Partial<Sound>, label: string): Refusal | undefined {
    const words = { sound: label };
    const isBad = (name: "bytes" | "sha256") =>
      kept[name] === undefined && (this.#isDigestNeeded || raw[name] !== undefined);

    const { file, bytes = 0 } = kept;
    if (file === undefined) {
      return refusal(raw["file"] === undefined ? "FILE_NAME_MISSING" : "FILE_NAME_WRONG", words);
    }
    if (this.#files.has(file)) return refusal("FILE_TWICE", { ...words, file });
    this.#files.add(file);
    if (isBad("bytes")) return refusal("BYTES_WRONG", words);
    if (this.#totalBytes + bytes > MAX_PACKAGE_BYTES) return refusal("TOTAL_TOO_LARGE", words);
    this.#totalBytes += bytes;
    return isBad("sha256") ? refusal("SHA256_WRONG", words) : undefined;
  }
}
