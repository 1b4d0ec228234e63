import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parseLocalManifest, parseManifest } from "../../../core/manifest/parse-manifest.ts";
import {
  CLEANED_MANIFEST,
  LENIENT_MANIFEST,
  MANIFEST_SCHEMA,
} from "../../../core/manifest/schema.ts";
import { validateManifest } from "../../../core/manifest/validate.generated.js";
import type { JsonObject } from "../../../core/text/json-object.ts";
import { compileValidator, VALIDATORS } from "../../../scripts/compile-validator.ts";
import { build } from "esbuild";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, Script } from "node:vm";
import { sentManifest, sentSound, valueAt } from "./sample-manifest.ts";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");
const passes = (top: JsonObject, sound: JsonObject = {}) =>
  validateManifest(sentManifest(top, [sentSound(sound)]));
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

test.each(Object.entries(VALIDATORS))(
  "[M4][O3] %s matches the output of `npm run generate` byte for byte",
  async (path, source) => {
    expect(await compileValidator(source)).toBe(read(path));
  },
);

test("[M4] the schema is JSON Schema 2020-12 and strict in every object", () => {
  expect(new Ajv2020().validateSchema(MANIFEST_SCHEMA)).toBe(true);
  for (const path of ["", "properties.source", "properties.tempo", "properties.items.items"]) {
    const object = path === "" ? MANIFEST_SCHEMA : valueAt(MANIFEST_SCHEMA, path);
    expect(object).toMatchObject({ type: "object", additionalProperties: false });
  }
  expect(MANIFEST_SCHEMA).toMatchObject({
    required: ["schema", "items"],
    properties: {
      created_at: { type: "string", format: "date-time" },
      items: { items: { required: ["file", "bytes", "sha256"] } },
    },
  });
  expect(JSON.parse(JSON.stringify(MANIFEST_SCHEMA))).toEqual(MANIFEST_SCHEMA);
});

test("[M4] the strict schema rejects what the relay repairs", () => {
  expect(passes({ title: "x", midi: [] }, { kind: "loop", bpm: 120, warp_mode: 6 })).toBe(true);
  const bad: JsonObject[] = [
    { zoom: 1 },
    { kind: "lop" },
    { bpm: 120 },
    { name: "a/b" },
    { gain_db: 25 },
  ];
  for (const sound of bad) expect(passes({}, sound), JSON.stringify(sound)).toBe(false);
  for (const top of [{ zoom: 1 }, { title: 5 }, { source: { app: "x".repeat(41) } }]) {
    expect(passes(top), JSON.stringify(top)).toBe(false);
  }
});

test("[M4] the validator runs in a bare JavaScript context without generating code", async () => {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, "core/manifest/validate.generated.js")],
    bundle: true,
    format: "iife",
    globalName: "validator",
    write: false,
  });
  const context = createContext(Object.create(null), {
    codeGeneration: { strings: false, wasm: false },
  });
  const script = outputFiles.map(({ text }) => text).join("");
  const run = (manifest: unknown): unknown =>
    new Script(`${script}; validator.validateManifest(${JSON.stringify(manifest)})`).runInContext(
      context,
    );
  const full = { created_at: "2026-01-31T12:00:00Z", title: "𝄞", source: { app: "x" } };
  expect(run(sentManifest(full))).toBe(true);
  expect(run(sentManifest({ ...full, created_at: "2026-02-30T12:00:00Z" }))).toBe(false);
});

test("[M5] the examples in docs/use/manifest.md pass the strict schema; the folder example needs no repair", () => {
  const examples = [...read("docs/use/manifest.md").matchAll(/```json\n([^]*?)```/g)];
  const [least, more, local] = examples.map(([, text = ""]) => JSON.parse(text));
  expect(examples).toHaveLength(3);
  for (const sent of [least, more]) expect(validateManifest(sent)).toBe(true);
  const { warnings, problems } = parseLocalManifest(local, { packageId: "pkg_local" });
  expect([...warnings, ...problems]).toEqual([]);
});

const FIXTURES = join(import.meta.dirname, "../../../fixtures");
/** Refusals that no schema can express. */
const BEYOND_SCHEMAS = new Set(["FILE_TWICE", "TOTAL_TOO_LARGE"]);

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv, ["date-time"]);
const isLenient = ajv.compile(LENIENT_MANIFEST);
const isStrict = ajv.compile(MANIFEST_SCHEMA);
const isCleaned = ajv.compile(CLEANED_MANIFEST);

function readFixtures(pattern: string): [string, { code?: string; manifest?: unknown }][] {
  return globSync(pattern, { cwd: FIXTURES }).map((file) => [
    file,
    JSON.parse(readFileSync(join(FIXTURES, file), "utf8")),
  ]);
}

describe("the lenient manifest", () => {
  const refused = readFixtures("refused/manifest/*.json").filter(
    ([, { code }]) => code !== "NOT_JSON",
  );
  test.each(refused)("[O4] rejects %s, unless no schema can express the refusal", (_, one) => {
    expect(isLenient(one.manifest)).toBe(BEYOND_SCHEMAS.has(one.code ?? ""));
  });

  const packages = readFixtures("packages/*/manifest.json").filter(
    ([file]) => !/local-/.test(file),
  );
  test.each(packages)(
    "[O4] accepts %s, and its repaired form passes the strict schema",
    (_, manifest) => {
      expect(isLenient(manifest)).toBe(true);
      const parsed = parseManifest(manifest, { packageId: "pkg_x" });
      isCleaned(parsed.manifest);
      expect(isCleaned.errors ?? []).toEqual([]);
      expect(isStrict(parsed.manifest)).toBe(true);
      expect(isCleaned({ ...parsed.manifest, title: undefined })).toBe(false);
    },
  );

  test("[O4] some packages pass only the lenient one", () => {
    const only = packages.filter(([, manifest]) => !isStrict(manifest)).map(([file]) => file);
    expect(only).toContain("packages/wrong-but-accepted/manifest.json");
  });
});
