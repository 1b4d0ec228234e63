import type { JsonObject } from "../text/json-object.ts";
import { MAX_PACKAGE_BYTES } from "../limits.ts";
import { refusal, type Refusal } from "../protocol/refusal.ts";
import type { Sound } from "./manifest.ts";

/** Finds problems without a repair in one package's sounds. Call `refuse` for each sound in order (rule M3). */
export class SoundValidator {
  readonly #files = new Set<string>();
  readonly #isDigestNeeded: boolean;
  #totalBytes = 0;

  /** @param isDigestNeeded whether `bytes` and `sha256` are required; optional in a local package */
  constructor(isDigestNeeded: boolean) {
    this.#isDigestNeeded = isDigestNeeded;
  }

  /**
   * Returns a sound's first problem in field order, or undefined if it is valid.
   * @param kept `raw` after repair
   * @param label the sound's name in the sentence
   */
  refuse(raw: JsonObject, kept: Partial<Sound>, label: string): Refusal | undefined {
    const params = { sound: label };
    const isBad = (name: "bytes" | "sha256") =>
      kept[name] === undefined && (this.#isDigestNeeded || raw[name] !== undefined);

    const { file, bytes = 0 } = kept;
    if (file === undefined) {
      return refusal(raw["file"] === undefined ? "FILE_NAME_MISSING" : "FILE_NAME_WRONG", params);
    }
    if (this.#files.has(file)) return refusal("FILE_TWICE", { ...params, file });
    this.#files.add(file);
    if (isBad("bytes")) return refusal("BYTES_WRONG", params);
    if (this.#totalBytes + bytes > MAX_PACKAGE_BYTES) return refusal("TOTAL_TOO_LARGE", params);
    this.#totalBytes += bytes;
    return isBad("sha256") ? refusal("SHA256_WRONG", params) : undefined;
  }
}
