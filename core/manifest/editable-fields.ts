import { FIELDS, type Field } from "./fields.ts";

const OF_PACKAGE = new Map<string, Field>([
  ["title", FIELDS.manifest.title],
  ["source.app", FIELDS.source.app],
  ["tempo.bpm", FIELDS.tempo.bpm],
  ["tempo.time_signature", FIELDS.tempo.time_signature],
]);

/** The fields of a package that a person may set in the preview, by their names in warnings. */
export const PACKAGE_FIELDS: readonly string[] = [...OF_PACKAGE.keys()];

/** The fields of a sound that a person may set there, without those that identify its file. */
export const SOUND_FIELDS = [
  "name",
  "kind",
  "role",
  "bpm",
  "length_beats",
  "warp_mode",
  "color",
  "gain_db",
] as const;

const OF_SOUND = new Map<string, Field>(SOUND_FIELDS.map((name) => [name, FIELDS.sound[name]]));

/** Returns the format's entry for an editable field; undefined for any other name. */
export function editableField(name: string, isOfSound: boolean): Field | undefined {
  return (isOfSound ? OF_SOUND : OF_PACKAGE).get(name);
}
