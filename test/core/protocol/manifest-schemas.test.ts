import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseManifest } from "../../../core/manifest/parse-manifest.ts";
import {
  CLEANED_MANIFEST,
  LENIENT_MANIFEST,
  MANIFEST_SCHEMA,
} from "../../../core/manifest/schema.ts";

const FIXTURES = join(import.meta.dirname, "../../../fixtures");
/** What no schema can say. */
const BEYOND_SCHEMAS = new Set(["FILE_TWICE", "TOTAL_TOO_LARGE"]);

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv, ["date-time"]);
const isLenient = ajv.compile(LENIENT_MANIFEST);
const isStrict = ajv.compile(MANIFEST_SCHEMA);
const isCleaned = ajv.compile(CLEANED_MANIFEST);

function read(pattern: string): [string, { code?: string; manifest?: unknown }][] {
  return globSync(pattern, { cwd: FIXTURES }).map((file) => [
    file,
    JSON.parse(readFileSync(join(FIXTURES, file), "utf8")),
  ]);
}

describe("the lenient manifest", () => {
  const refused = read("refused/manifest/*.json").filter(([, { code }]) => code !== "NOT_JSON");
  test.each(refused)("[O4] rejects %s, unless no schema can express the refusal", (_, one) => {
    expect(isLenient(one.manifest)).toBe(BEYOND_SCHEMAS.has(one.code ?? ""));
  });

  const packages = read("packages/*/manifest.json").filter(([file]) => !/local-/.test(file));
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
