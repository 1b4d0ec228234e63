import { isJsonObject } from "../text/json-object.ts";
import { refusal, type Refusal } from "../protocol/refusal.ts";
import { assignIds } from "./assign-ids.ts";
import { FIELDS } from "./fields.ts";
import type { Problems } from "./find-problems.ts";
import type { Sound } from "./manifest.ts";
import { repairFields } from "./repair-fields.ts";
import { SoundValidator } from "./sound-validator.ts";
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
