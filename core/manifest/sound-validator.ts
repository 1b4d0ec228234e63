import type { JsonObject } from "../text/json-object.ts";
import { MAX_PACKAGE_BYTES } from "../limits.ts";
import { refusal, type Refusal } from "../protocol/refusal.ts";
import type { RefusalSubject } from "../protocol/refusal-subject.ts";
import type { Sound } from "./manifest.ts";
import { soundLabel } from "./sound-label.ts";

/** A sound of a manifest, before and after repair. */
export interface RepairedSound {
  readonly raw: JsonObject;
  readonly kept: Partial<Sound>;
  /** The id that it has now. */
  readonly id: string;
  /** From 1. */
  readonly position: number;
}

/** Finds problems without a repair in one package's sounds. Call `judge` for each sound in order (rule M3). */
export class SoundValidator {
  readonly #files = new Set<string>();
  readonly #isDigestNeeded: boolean;
  #totalBytes = 0;

  /** @param isDigestNeeded whether `bytes` and `sha256` are required; optional in a local package */
  constructor(isDigestNeeded: boolean) {
    this.#isDigestNeeded = isDigestNeeded;
  }

  /** Returns a sound's problems in field order, none if it is valid. */
  judge(sound: RepairedSound): readonly Refusal[] {
    const { kept, id, position } = sound;
    const params = { sound: soundLabel(position, kept.name) };
    const subject = { sound: id, ...(kept.file !== undefined && { file: kept.file }), position };
    const about = (field: string) => ({ about: { ...subject, field } });
    const found = [
      this.#judgeFile(sound, params, about("file")),
      this.#judgeBytes(sound, params, about("bytes")),
      this.#isBad("sha256", sound) ? refusal("SHA256_WRONG", params, about("sha256")) : undefined,
    ];
    return found.filter((problem) => problem !== undefined);
  }

  #judgeFile({ raw, kept: { file } }: RepairedSound, params: Params, about: About) {
    if (file === undefined) {
      const code = raw["file"] === undefined ? "FILE_NAME_MISSING" : "FILE_NAME_WRONG";
      return refusal(code, params, about);
    }
    if (this.#files.has(file)) return refusal("FILE_TWICE", { ...params, file }, about);
    this.#files.add(file);
    return undefined;
  }

  #judgeBytes(sound: RepairedSound, params: Params, about: About) {
    if (this.#isBad("bytes", sound)) return refusal("BYTES_WRONG", params, about);
    const { bytes = 0 } = sound.kept;
    if (this.#totalBytes + bytes > MAX_PACKAGE_BYTES) {
      return refusal("TOTAL_TOO_LARGE", params, about);
    }
    this.#totalBytes += bytes;
    return undefined;
  }

  #isBad(name: "bytes" | "sha256", { raw, kept }: RepairedSound): boolean {
    return kept[name] === undefined && (this.#isDigestNeeded || raw[name] !== undefined);
  }
}

interface Params {
  readonly sound: string;
}
interface About {
  readonly about: RefusalSubject;
}
