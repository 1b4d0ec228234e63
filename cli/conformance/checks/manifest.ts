import { assertSame, assertStatus, listOf, partOf } from "../assert.ts";
import type { Check } from "../check.ts";
import type { Kit } from "../kit.ts";
import { itemOf, makeWav, type Sound } from "../sounds.ts";
import {
  GOOD_VALUES,
  LOOP_REPAIRS,
  MANIFEST_REPAIRS,
  ONE_SHOT_REPAIRS,
  type Repair,
} from "./manifest-repairs.ts";

/** A package after its repairs. */
interface Repaired {
  readonly warnings: readonly unknown[];
  /** The manifest as the importer gets it. */
  readonly manifest: unknown;
}

interface SoundRow extends Omit<Repair, "code"> {
  readonly code?: Repair["code"];
  readonly kind?: "loop";
}

/** The rows of each package: at most 32, the most sounds that a package can have. */
const SOUND_ROWS: readonly (readonly SoundRow[])[] = [
  LOOP_REPAIRS.map(asLoop),
  [...ONE_SHOT_REPAIRS, ...GOOD_VALUES.map(asLoop)],
];

/** Every field of the manifest with values that need repair, and some valid ones. */
export const REPAIR_CHECKS: readonly Check[] = [
  ...MANIFEST_REPAIRS.flatMap((rows, at) =>
    rows.map((row) => check(row, (kit) => judgeManifestRow(kit, rows, row, at))),
  ),
  ...SOUND_ROWS.flatMap((rows, at) =>
    rows.map((row) => check(row, (kit) => judgeSoundRow(kit, rows, row, at))),
  ),
];

function check({ id, field, sent, code }: SoundRow, run: Check["run"]): Check {
  const value = typeof sent === "string" && sent.length > 20 ? "too long" : JSON.stringify(sent);
  const outcome = code === undefined ? "goes through without a warning" : `is repaired: ${code}`;
  return {
    id: `manifest-${id}`,
    rule: code === undefined ? "M5" : "M4",
    title: `${field} ${value} ${outcome}`,
    run,
  };
}

function asLoop(row: SoundRow): SoundRow {
  return { ...row, kind: "loop" };
}

async function judgeManifestRow(
  kit: Kit,
  rows: readonly Repair[],
  { field, code, kept }: Repair,
  at: number,
): Promise<void> {
  const { warnings, manifest } = await kit.share(`manifest rows ${at}`, () => {
    const more: Record<string, unknown> = {};
    for (const { field: path, sent } of rows) put(more, path.split("."), sent);
    return sendRepaired(kit, [{}], more);
  });
  assertSame(codesOf(warnings, field), [code], `The list of warnings on ${field}`);
  if (field === "package_id") return;
  assertSame(partOf(manifest, ...field.split(".")), kept, `The importer's ${field}`);
}

async function judgeSoundRow(
  kit: Kit,
  rows: readonly SoundRow[],
  { id, field, code, kept }: SoundRow,
  at: number,
): Promise<void> {
  const { warnings, manifest } = await kit.share(`sound rows ${at}`, () => {
    const sounds = rows.map((row) => ({
      id: row.id,
      ...(row.kind !== undefined && { kind: row.kind }),
      [row.field]: row.sent,
    }));
    return sendRepaired(kit, sounds, {});
  });
  const codes = code === undefined ? [] : [code];
  assertSame(codesOf(warnings, field, id), codes, `The list of warnings on ${field}`);
  const sound = listOf(manifest, "items").find((item) => partOf(item, "id") === id);
  if (field === "kind") return;
  assertSame(partOf(sound, field), kept, `The importer's ${field}`);
}

/** Sends and commits a package with these properties, and reads it as the importer does. */
async function sendRepaired(
  kit: Kit,
  properties: readonly object[],
  more: object,
): Promise<Repaired> {
  const bytes = makeWav();
  const sounds: readonly Sound[] = properties.map((_, at) => ({ file: `${at}.wav`, bytes }));
  const items = sounds.map((sound, at) => itemOf(sound, properties[at]));
  const made = await kit.waiting(sounds, { items, ...more });
  assertStatus(made.announced, 201);
  return {
    warnings: listOf(made.announced.json, "warnings"),
    manifest: partOf(await kit.listedAs(made), "manifest"),
  };
}

function codesOf(warnings: readonly unknown[], field: string, sound?: string): readonly unknown[] {
  return warnings
    .filter((one) => partOf(one, "field") === field && partOf(one, "sound") === sound)
    .map((one) => partOf(one, "code"));
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
