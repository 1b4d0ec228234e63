import type { Answer } from "../answer.ts";
import { partOf } from "../assert.ts";
import { Inconclusive } from "../assertion-failure.ts";
import type { Kit } from "../kit.ts";
import { itemOf, makeWav, type Sound } from "../sounds.ts";
import { MANIFEST_EDGES, SOUND_EDGES } from "./edges.ts";
import {
  GOOD_VALUES,
  LOOP_REPAIRS,
  MANIFEST_REPAIRS,
  ONE_SHOT_REPAIRS,
  type Row,
} from "./manifest-repairs.ts";

/** A value of one sound. */
export interface SoundRow extends Row {
  readonly kind?: "loop";
}

/** Values that one package holds: at most 32 sounds, and no property of the manifest twice. */
interface Group {
  readonly manifest: readonly Row[];
  readonly sounds: readonly SoundRow[];
}

/** A package of several values, after its repairs. */
export interface Repaired {
  readonly announced: Answer;
  readonly rows: readonly Row[];
  /** The sounds' rows, in order. */
  readonly sounds: readonly SoundRow[];
  /** The manifest as the importer gets it; undefined if the package was refused, or in a public run. */
  readonly manifest: unknown;
}

const SOUND_GROUPS: readonly (readonly SoundRow[])[] = [
  SOUND_EDGES.map(asLoop),
  LOOP_REPAIRS.map(asLoop),
  [...ONE_SHOT_REPAIRS, ...GOOD_VALUES.map(asLoop)],
];
/** Few packages: an app may announce only 30 an hour. */
export const GROUPS: readonly Group[] = MANIFEST_REPAIRS.map((repairs, at) => ({
  manifest: [...repairs, ...(MANIFEST_EDGES[at] ?? [])],
  sounds: SOUND_GROUPS[at] ?? [],
}));

/** The package that holds the row: the group's, or a part of it if that one is refused for some value. */
export async function outcomeOf(kit: Kit, at: number, row: Row): Promise<Repaired> {
  const sent = await kit.share(`manifest rows ${at}`, async () => {
    const isDue = ({ spec }: Row) => kit.contract === "whole" || spec !== undefined;
    const { manifest = [], sounds = [] } = GROUPS[at] ?? {};
    return sendHalved(kit, { manifest: manifest.filter(isDue), sounds: sounds.filter(isDue) });
  });
  const outcome = sent.find(({ rows }) => rows.includes(row));
  if (outcome === undefined) throw new Inconclusive("No package has its value.");
  return outcome;
}

/** Halves a package that is refused until each value that is refused stands alone: refusals cost no packages. */
async function sendHalved(kit: Kit, group: Group, isPart = false): Promise<readonly Repaired[]> {
  const whole = await sendRows(kit, group, isPart);
  const { manifest, sounds } = group;
  if (whole.announced.status < 300 || whole.rows.length < 2) return [whole];
  const middle = whole.rows.length >> 1;
  const inSounds = Math.max(0, middle - manifest.length);
  const halves = [
    { manifest: manifest.slice(0, middle), sounds: sounds.slice(0, inSounds) },
    { manifest: manifest.slice(middle), sounds: sounds.slice(inSounds) },
  ];
  const sent: Repaired[] = [];
  for (const half of halves) sent.push(...(await sendHalved(kit, half, true)));
  return sent;
}

/** Sends and commits a package with these values, and reads it as the importer does. */
async function sendRows(kit: Kit, group: Group, isPart: boolean): Promise<Repaired> {
  const { manifest: rows, sounds: soundRows } = group;
  const properties = soundRows.length > 0 ? soundRows.map(soundOf) : [{ file: "0.wav" }];
  const bytes = makeWav();
  const sounds: readonly Sound[] = properties.map(({ file }) => ({ file, bytes }));
  const more: Record<string, unknown> = {};
  for (const { field, sent } of rows) put(more, field.split("."), sent);
  const items = sounds.map((sound, at) => itemOf(sound, properties[at]));
  const app = await kit.leastBusyApp();
  const announced = await kit.announce(app, { schema: "app2host/1", ...more, items });
  const all = [...rows, ...soundRows];
  const outcome = { announced, rows: all, sounds: soundRows, manifest: undefined };
  if (announced.status >= 300 || kit.contract === "public") return outcome;
  const made = kit.packageOf(app, sounds, announced);
  for (const sound of sounds) await kit.put(made, sound);
  await kit.commit(made);
  const manifest = partOf(await kit.listedAs(made), "manifest");
  // A refused group has many parts: a computer has room for few.
  if (isPart) await kit.withdraw(made);
  return { ...outcome, manifest };
}

function soundOf(row: SoundRow, at: number): { readonly file: string; readonly id: string } {
  const { id, kind, field, sent } = row;
  return { id, ...(kind !== undefined && { kind }), [field]: sent, file: fileOf(row, at) };
}

export function fileOf({ field, sent }: Row, at: number): string {
  return field === "file" ? String(sent) : `${at}.wav`;
}

function put(object: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name = "", ...rest] = path;
  if (rest.length === 0) {
    object[name] = value;
    return;
  }
  const inner: Record<string, unknown> = {};
  const group = (object[name] ??= inner);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- groups are made only here
  put(group as Record<string, unknown>, rest, value);
}

function asLoop(row: Row): SoundRow {
  return { ...row, kind: "loop" };
}
