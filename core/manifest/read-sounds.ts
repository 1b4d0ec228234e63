import { MAX_ID_LENGTH, MAX_PACKAGE_BYTES } from "../limits.ts";
import { refusal, type Refusal, type RefusalSubject } from "../protocol/refusal.ts";
import { isJsonObject, type JsonObject } from "../text/json-object.ts";
import { shorten } from "../text/shorten.ts";
import { FIELDS } from "./fields.ts";
import { type Problems, repairFields } from "./repair-fields.ts";
import type { Sound } from "./manifest.ts";
import { formatValue, type WarningList } from "./warnings.ts";

/** A manifest's sounds in order, including invalid ones. */
export interface ReadSounds {
  readonly items: readonly Sound[];
  /** Problems without a repair by sound id, in the order of the sounds; only of those that have some. */
  readonly refusals: ReadonlyMap<string, readonly [Refusal, ...Refusal[]]>;
}

/**
 * Reads and repairs the sounds of a manifest (rules M3, M4, M7).
 * @param isDigestNeeded whether each sound must have `bytes` and `sha256`
 */
export function readSounds(
  rawSounds: readonly unknown[],
  isDigestNeeded: boolean,
  problems: Problems,
  warnings: WarningList,
): ReadSounds {
  const validator = new SoundValidator(isDigestNeeded);
  const refusals = new Map<string, [Refusal, ...Refusal[]]>();
  const hasBadId = (index: number) => problems.keywords.has(`/items/${index}/id`);
  const ids = assignIds(
    rawSounds.map((rawSound, index) => (hasBadId(index) ? undefined : idOf(rawSound))),
  );
  const items: Sound[] = [];
  for (const [index, id] of ids.entries()) {
    const position = index + 1;
    const rawSound = rawSounds[index];
    const raw = isJsonObject(rawSound) ? rawSound : {};
    const { id: sent = String(position) } = raw;
    warnAboutId(sent, hasBadId(index), id, warnings);
    const place = { pointer: `/items/${index}`, prefix: "", sound: id };
    const kept = repairFields("sound", raw, place, problems, warnings);
    const [first, ...more] = isJsonObject(rawSound)
      ? validator.judge({ raw, kept, id, position })
      : [refusal("ITEM_NOT_OBJECT", { position }, { about: { sound: id, position } })];
    if (first) refusals.set(id, [first, ...more]);
    const { name = `Sound ${position}`, kind = "oneshot" } = kept;
    items.push({ file: "", ...kept, id, name, kind });
  }
  return { items, refusals };
}

function idOf(rawSound: unknown): string | undefined {
  const id = isJsonObject(rawSound) ? rawSound["id"] : undefined;
  return typeof id === "string" ? id : undefined;
}

/** @param sent the id in the manifest, else the position */
function warnAboutId(sent: unknown, isBad: boolean, id: string, warnings: WarningList): void {
  const subject = { field: "id", sound: id };
  const params = { value: formatValue(sent), kept: formatValue(id) };
  if (isBad) warnings.add("ID_REPLACED", subject, { ...params, form: FIELDS.sound.id.form });
  else if (sent !== id) warnings.add("ID_TAKEN", subject, params);
}

/** A sound of a manifest, before and after repair. */
interface RepairedSound {
  readonly raw: JsonObject;
  readonly kept: Partial<Sound>;
  readonly id: string;
  /** The place in the package, from 1. */
  readonly position: number;
}

/** Finds problems without a repair in one package's sounds. Call `judge` for each sound in order (rule M3). */
class SoundValidator {
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

/** Longest name in UTF-16 units; leaves room for the problem in a sentence of `MAX_ERROR_UNITS`. */
const MAX_NAME_UNITS = 20;

/**
 * Formats a sound's name for sentences: `Sound 3 "Kick"`, or `Sound 3` if it has no name of its own.
 * @param position 1-based
 * @param name cleaned
 */
export function soundLabel(position: number, name: string | undefined): string {
  const label = `Sound ${position}`;
  return name === undefined || name === label
    ? label
    : `${label} "${shorten(name, MAX_NAME_UNITS)}"`;
}

/**
 * Assigns each sound a unique id (rule M7). The first sound to send an id keeps it; a sound without one
 * gets its 1-based position. Duplicates get `-2`, `-3` and so on, skipping every id that was sent. Ids
 * stay within `MAX_ID_LENGTH` code points.
 * @param sent the valid ids by sound, undefined for none
 */
export function assignIds(sent: readonly (string | undefined)[]): readonly string[] {
  const taken = new Set(sent);
  const kept = new Set<string>();
  return sent.map((id, index) => {
    if (id !== undefined && !kept.has(id)) {
      kept.add(id);
      return id;
    }
    const base = id ?? String(index + 1);
    const free = taken.has(base) ? freeId(base, taken) : base;
    taken.add(free);
    return free;
  });
}

function freeId(base: string, taken: ReadonlySet<string | undefined>): string {
  const characters = Array.from(base);
  for (let number = 2; ; number += 1) {
    const ending = `-${number}`;
    const id = characters.slice(0, MAX_ID_LENGTH - ending.length).join("") + ending;
    if (!taken.has(id)) return id;
  }
}
