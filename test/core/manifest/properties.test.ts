import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseLocalManifest, parseManifest } from "../../../core/manifest/parse-manifest.ts";
import { validateManifest } from "../../../core/manifest/validate.generated.js";
import { Refusal } from "../../../core/protocol/refusal.ts";
import { runs } from "../../runner/random-seed.ts";
import { anyManifest } from "./any-manifest.ts";
import { PACKAGE_ID } from "./sample-manifest.ts";

const options = { packageId: PACKAGE_ID };
const RUNS = runs(200);

function throwsOnlyRefusals(parse: () => unknown): void {
  try {
    parse();
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    expect(String(error).length).toBeLessThanOrEqual("Refusal: ".length + 80);
  }
}

test("[M1][M3] accepts or refuses any JSON value without other errors", () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), anyManifest("wild")), (value) => {
      throwsOnlyRefusals(() => parseManifest(value, options));
      throwsOnlyRefusals(() => parseLocalManifest(value, options));
    }),
    RUNS,
  );
});

test("[M4] repaired manifests pass the strict schema", () => {
  fc.assert(
    fc.property(anyManifest("taken"), (value) => {
      const { manifest } = parseManifest(value, options);
      expect(validateManifest(manifest) ? [] : validateManifest.errors).toEqual([]);
    }),
    RUNS,
  );
});

test("[M5] repairing a repaired manifest changes nothing and adds no warning", () => {
  fc.assert(
    fc.property(anyManifest("taken"), (value) => {
      const { manifest } = parseManifest(value, options);
      const sent: unknown = JSON.parse(JSON.stringify(manifest));
      expect(parseManifest(sent, options)).toEqual({ manifest: sent, warnings: [] });
    }),
    RUNS,
  );
});

test("[M4][M5] valid values get warnings only for midi, duplicate ids and loop-only fields on a one-shot", () => {
  const expected = new Set(["MIDI_IGNORED", "ID_TAKEN", "LOOP_ONLY"]);
  fc.assert(
    fc.property(anyManifest("strict"), (value) => {
      const codes = parseManifest(value, options).warnings.map(({ code }) => code);
      expect(codes.filter((code) => !expected.has(code))).toEqual([]);
      expect(validateManifest(value)).toBe(!codes.includes("LOOP_ONLY"));
    }),
    RUNS,
  );
});

test("[M5] there are at most 100 warnings of at most 200 characters, all about existing sounds", () => {
  fc.assert(
    fc.property(anyManifest("taken"), (value) => {
      const { manifest, warnings } = parseManifest(value, options);
      const ids = new Set(manifest.items.map(({ id }) => id));
      expect(warnings.length).toBeLessThanOrEqual(100);
      for (const { message, sound } of warnings) {
        expect(message.length).toBeLessThanOrEqual(200);
        if (sound !== undefined) expect(ids).toContain(sound);
      }
    }),
    RUNS,
  );
});

test("[M7] ids are unique, even in a local package with problems", () => {
  fc.assert(
    fc.property(anyManifest("taken"), anyManifest("wild"), (good, bad) => {
      for (const value of [good, bad]) {
        throwsOnlyRefusals(() => {
          const { manifest, problems } = parseLocalManifest(value, options);
          const ids = manifest.items.map(({ id }) => id);
          expect(new Set(ids).size).toBe(ids.length);
          for (const id of problems.keys()) expect(ids).toContain(id);
        });
      }
    }),
    RUNS,
  );
});
