import { expect, test } from "vitest";
import { FIELDS, type Field, type GroupName } from "../../../core/manifest/fields.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { panelSoundOf } from "../../../core/panel/panel-package.ts";
import { panelPlanOf } from "../../../core/panel/panel-plan.ts";
import { formatSound } from "../../../pages/panel/text/format-sound.ts";
import { describePackage } from "../../../client/send/describe-package.ts";
import { planLayout } from "../../../core/layout/plan-layout.ts";
import { Refusal } from "../../../core/protocol/refusal.ts";
import { MANIFEST_SCHEMA } from "../../../core/manifest/schema.ts";
import { validateManifest } from "../../../core/manifest/validate.generated.js";
import type { JsonObject } from "../../../core/text/json-object.ts";
import { components } from "../../../relay/http/contract/openapi/components.ts";
import { sampleHeader } from "../layout/sample-package.ts";
import { parsed, sentManifest, sentSound, valueAt } from "./sample-manifest.ts";

const INVENTED: Field = {
  meaning: "Invented by a test.",
  form: "text",
  schema: { type: "string" },
  remedy: { kind: "drop" },
};

const PLACES = [
  "a sample in test/core/manifest/field-places.test.ts",
  "a member of a type in core/manifest/manifest.ts",
  "the strict schema",
  "the validator (npm run generate)",
  "a repair or a refusal of a bad value",
  "the manifest that an importer gets",
  "a draft of the client",
  "the panel",
  "OpenAPI's Manifest",
  "OpenAPI's CleanedManifest",
];

test("[M4] every field is present in every place that needs it", () => {
  expect(findFieldGaps(FIELDS)).toEqual([]);
});

test.each(["manifest", "source", "tempo", "sound"] as const)(
  "[M4] a field added only to the table %s is reported missing by name in each place",
  (group) => {
    const table = { ...FIELDS, [group]: { ...FIELDS[group], test_field: INVENTED } };
    expect(findFieldGaps(table)).toEqual(
      [...PLACES, `the table ${group} of docs/use/manifest.md`].map(
        (place) => `${group}.test_field: ${place}`,
      ),
    );
  },
);

test("[M4] every exception names an existing field", () => {
  const excused = [...Object.keys(NOT_IN_DRAFT), ...Object.keys(NOT_IN_PANEL)];
  expect(excused.filter((name) => !FIELD_NAMES.includes(name))).toEqual([]);
});

/** A table such as `FIELDS`, by group and name. */
export type FieldTable = Readonly<Record<GroupName, Readonly<Record<string, Field>>>>;

interface Sample {
  /** Two good values; where a panel shows the field, it shows them differently. */
  readonly good: readonly [unknown, unknown];
  readonly bad: unknown;
}

const TEXTS: Sample = { good: ["One", "Two"], bad: 5 };
const TEMPI: Sample = { good: [90, 120], bad: "fast" };

/** Values of each field but the groups, by where it is. */
const SAMPLES: Readonly<Record<string, Sample>> = {
  "manifest.schema": { good: ["app2host/1", "app2host/1"], bad: "app2host/2" },
  "manifest.package_id": { good: ["pkg_1", "pkg_2"], bad: "a b" },
  "manifest.created_at": { good: ["2026-01-31T12:00:00Z", "2026-02-01T12:00:00Z"], bad: "today" },
  "manifest.title": TEXTS,
  "manifest.source": { good: [{ app: "One" }, { app: "Two" }], bad: 5 },
  "manifest.tempo": { good: [{ bpm: 90 }, { bpm: 120 }], bad: 5 },
  "manifest.items": { good: [[sentSound()], [sentSound({ name: "Two" })]], bad: [] },
  "manifest.midi": { good: [[], []], bad: 5 },
  "source.app": TEXTS,
  "source.app_version": TEXTS,
  "source.platform": TEXTS,
  "tempo.bpm": TEMPI,
  "tempo.time_signature": {
    good: [
      [3, 4],
      [4, 4],
    ],
    bad: "3/4",
  },
  "sound.file": { good: ["one.wav", "two.wav"], bad: "one.mp3" },
  "sound.bytes": { good: [1000, 2000], bad: 0 },
  "sound.sha256": { good: ["a".repeat(64), "b".repeat(64)], bad: "a" },
  "sound.id": TEXTS,
  "sound.name": TEXTS,
  "sound.kind": { good: ["loop", "oneshot"], bad: "lop" },
  "sound.role": { good: ["drums", "bass"], bad: "drum" },
  "sound.bpm": TEMPI,
  "sound.length_beats": { good: [4, 8], bad: 0 },
  "sound.warp_mode": { good: ["tones", "beats"], bad: "slow" },
  "sound.color": { good: ["#FF0000", "#0000FF"], bad: "red" },
  "sound.gain_db": { good: [-6, 6], bad: "loud" },
};

/** Fields that a draft of the client does not say, and why. */
export const NOT_IN_DRAFT: Readonly<Record<string, string>> = {
  "manifest.schema": "The client speaks one format and names it.",
  "manifest.package_id": "The relay gives the id.",
  "manifest.created_at": "It is only logged, and the relay's log has the time of the announcement.",
  "manifest.source": "Its members are the draft's own.",
  "manifest.tempo": "Its members are the draft's own.",
  "manifest.items": "They are the draft's sounds.",
  "manifest.midi": "It is reserved for later.",
  "source.platform": "It is only logged, and the browser names itself in User-Agent.",
  "tempo.time_signature": "It is read, but not used yet.",
  "sound.bytes": "The client measures it.",
  "sound.sha256": "The client computes it.",
};

/** Fields that the panel does not show, and why a musician does not miss them. */
export const NOT_IN_PANEL: Readonly<Record<string, string>> = {
  "manifest.schema": "Every package that arrives has the one format.",
  "manifest.package_id": "It only tells packages apart.",
  "manifest.created_at": "It is only logged.",
  "manifest.midi": "It is reserved for later.",
  "source.app_version": "It is only logged.",
  "source.platform": "It is only logged.",
  "tempo.time_signature": "It is read, but not used yet.",
  "sound.file": "The file on disk is named after the sound.",
  "sound.bytes": "It only decides whether the sound can be played in the panel.",
  "sound.sha256": "It only proves that the file is whole.",
  "sound.id": "It only tells sounds apart.",
};

/** The places that lack a field of the table, each as `<group>.<field>: <place>`. */
export function findFieldGaps(table: FieldTable): readonly string[] {
  return Object.keys(table).flatMap((key) => {
    const group = groupOf(key);
    return Object.entries(table[group]).flatMap(([name, field]) =>
      placesWithout(group, name, field).map((place) => `${group}.${name}: ${place}`),
    );
  });
}

function placesWithout(group: GroupName, name: string, field: Field): readonly string[] {
  const path = `${group}.${name}`;
  const { good, bad } = SAMPLES[path] ?? TEXTS;
  const isThere = {
    "a sample in test/core/manifest/field-places.test.ts": path in SAMPLES,
    "a member of a type in core/manifest/manifest.ts":
      path === "manifest.midi" || new RegExp(`readonly ${name}\\??:`).test(read(MANIFEST_TYPES)),
    "the strict schema": name in membersOf(MANIFEST_SCHEMA, group),
    "the validator (npm run generate)": good.every((value) =>
      validateManifest(manifestWith(group, name, value)),
    ),
    "a repair or a refusal of a bad value": isJudged(group, name, field, bad),
    "the manifest that an importer gets":
      ["manifest.midi", "manifest.package_id"].includes(path) ||
      valueIn({ ...parsed(manifestWith(group, name, good[0])).manifest }, group, name) !==
        undefined,
    "a draft of the client": path in NOT_IN_DRAFT || isSent(group, name, good[0]),
    "the panel": path in NOT_IN_PANEL || isShown(group, name, good),
    "OpenAPI's Manifest": name in membersOf(components().schemas["Manifest"], group),
    "OpenAPI's CleanedManifest": name in membersOf(components().schemas["CleanedManifest"], group),
    [`the table ${group} of docs/use/manifest.md`]: tableOf(group).includes(`| \`${name}\` |`),
  };
  return Object.entries(isThere).flatMap(([place, holds]) => (holds ? [] : [place]));
}

const MANIFEST_TYPES = "core/manifest/manifest.ts";

/** A manifest of one loop, with one field more than it needs. */
function manifestWith(group: GroupName, name: string, value: unknown): JsonObject {
  const loop = { kind: "loop" };
  if (group === "sound") return sentManifest({}, [sentSound({ ...loop, [name]: value })]);
  return sentManifest(group === "manifest" ? { [name]: value } : { [group]: { [name]: value } }, [
    sentSound(loop),
  ]);
}

function isJudged(group: GroupName, name: string, field: Field, bad: unknown): boolean {
  const named = group === "source" || group === "tempo" ? `${group}.${name}` : name;
  try {
    const { warnings } = parsed(manifestWith(group, name, bad));
    return warnings.some(({ field: at, code }) => at === named && code !== "PROPERTY_UNKNOWN");
  } catch (error) {
    const codes: readonly string[] = field.remedy.kind === "refuse" ? field.remedy.codes : [];
    return error instanceof Refusal && codes.includes(error.code);
  }
}

/** Checks that a draft with the field, in camel case, becomes a manifest that has it. */
function isSent(group: GroupName, name: string, value: unknown): boolean {
  const said = { [name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())]: value };
  const source = new Uint8Array(1);
  const draft = group === "sound" ? { sounds: [{ source, ...said }] } : { sounds: [], ...said };
  const { head, sounds } = describePackage(draft, undefined);
  const items = sounds.map(({ item }) => item);
  return JSON.stringify(valueIn({ ...head, items }, group, name)) === JSON.stringify(value);
}

/** Checks that the panel shows a difference between packages that differ only in the field. */
function isShown(group: GroupName, name: string, [one, other]: Sample["good"]): boolean {
  return viewOf(manifestWith(group, name, one)) !== viewOf(manifestWith(group, name, other));
}

/** The panel's text for a package's plan, of one bar at 120 BPM. */
function viewOf(sent: JsonObject): string {
  const { manifest, warnings } = parsed(sent);
  const sounds = new Map(manifest.items.map(({ id }) => [id, sampleHeader(96_000)]));
  const layout = planLayout({ manifest, warnings, sounds, colorTurn: 0 });
  const { sceneName, tempoBpm, tracks } = panelPlanOf({ layout, sounds });
  const rows = manifest.items.map((sound, index) => {
    const track = tracks[index];
    return [sound.name, track?.color, formatSound(panelSoundOf(sound), track)];
  });
  return JSON.stringify([sceneName, tempoBpm, rows]);
}

function valueIn(manifest: JsonObject, group: GroupName, name: string): unknown {
  if (group !== "sound") return valueAt(manifest, group === "manifest" ? name : `${group}.${name}`);
  const items: unknown = manifest["items"];
  return Array.isArray(items) ? valueAt(items[0], name) : undefined;
}

/** The properties of a group in a schema of the whole manifest. */
function membersOf(schema: unknown, group: GroupName): object {
  const inner = { manifest: "", source: "source.", tempo: "tempo.", sound: "items.items." };
  const path = inner[group] === "" ? "properties" : `properties.${inner[group]}properties`;
  const members = valueAt(schema, path);
  return typeof members === "object" && members !== null ? members : {};
}

function tableOf(group: GroupName): string {
  const [, table = ""] = read("docs/use/manifest.md").split(`<!-- table: ${group} -->`);
  return table.split("<!-- end -->")[0] ?? "";
}

function read(path: string): string {
  return readFileSync(join(import.meta.dirname, "../../..", path), "utf8");
}

function groupOf(key: string): GroupName {
  const group = (["manifest", "source", "tempo", "sound"] as const).find((name) => name === key);
  if (group === undefined) throw new Error(`There is no group ${key}.`);
  return group;
}

/** Every field of the format, as `<group>.<field>`. */
export const FIELD_NAMES: readonly string[] = Object.entries<object>(FIELDS).flatMap(
  ([group, fields]) => Object.keys(fields).map((name) => `${group}.${name}`),
);
