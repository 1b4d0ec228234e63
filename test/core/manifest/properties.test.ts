import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseLocalManifest, parseManifest } from "../../../core/manifest/parse-manifest.ts";
import { validateManifest } from "../../../core/manifest/validate.generated.js";
import { Refusal } from "../../../core/protocol/refusal.ts";
import { runs } from "../../runner/random-seed.ts";
import { anyManifest } from "./any-manifest.ts";
import {
  PACKAGE_ID,
  parsed,
  refusedBy,
  sentManifest,
  sentSound,
  SHA256,
} from "./sample-manifest.ts";

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

/** JSON as it comes over the wire; `more` is added to the only sound, `top` to the manifest. */
function sentText(top: string, more = ""): unknown {
  return JSON.parse(
    `{"schema":"app2host/1"${top},"items":[{"file":"a.wav","bytes":1,"sha256":"${SHA256}"${more}}]}`,
  );
}

const cleaned = (name: string) =>
  parsed(sentManifest({ title: name }, [sentSound({ name })])).manifest;
const parse = (value: unknown) => parseManifest(value, { packageId: PACKAGE_ID });

test("[M4] treats keys such as __proto__ as unknown properties without effect", () => {
  const keys = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"];
  const evil = keys.map((key) => `,"${key}":{"bpm":5,"title":"evil","isAdmin":true}`).join("");
  const inner = evil.slice(1);
  const { manifest, warnings } = parse(
    sentText(`${evil},"source":{${inner}},"tempo":{${inner}}`, evil),
  );
  expect(manifest).toEqual({
    schema: "app2host/1",
    package_id: PACKAGE_ID,
    title: "Untitled",
    source: { app: "App" },
    tempo: {},
    items: [{ file: "a.wav", bytes: 1, sha256: SHA256, id: "1", name: "Sound 1", kind: "oneshot" }],
  });
  expect(Object.getPrototypeOf(manifest.items[0])).toBe(Object.prototype);
  expect(Object.hasOwn(Object.prototype, "isAdmin")).toBe(false);
  expect(warnings.map(({ field }) => field)).toEqual([
    ...keys,
    ...keys.map((key) => `source.${key}`),
    ...keys.map((key) => `tempo.${key}`),
    ...keys,
  ]);
});

test("[M3] never reads required fields from a sound's __proto__", () => {
  const value: unknown = JSON.parse(
    `{"schema":"app2host/1","items":[{"__proto__":{"file":"a.wav","bytes":1,"sha256":"${SHA256}"}}]}`,
  );
  expect(refusedBy(value).code).toBe("FILE_NAME_MISSING");
});

test("[M4] treats numbers too large for a double as out of range", () => {
  const { manifest, warnings } = parse(
    sentText(
      `,"tempo":{"bpm":1e400,"time_signature":[1e400,4]}`,
      `,"kind":"loop","gain_db":1e400,"length_beats":1e999,"warp_mode":1e400`,
    ),
  );
  expect(manifest.tempo).toEqual({});
  expect(manifest.items[0]).toMatchObject({ gain_db: 24, kind: "loop" });
  expect(warnings.map(({ code, field }) => `${code} ${field}`)).toEqual([
    "VALUE_IGNORED tempo.bpm",
    "VALUE_IGNORED tempo.time_signature",
    "VALUE_IGNORED length_beats",
    "VALUE_IGNORED warp_mode",
    "VALUE_CLAMPED gain_db",
  ]);
  expect(parse(sentText("", `,"gain_db":-1e400`)).manifest.items[0]?.gain_db).toBe(-70);
  expect(refusedBy(sentText("", `,"bytes":1e400`)).code).toBe("BYTES_WRONG");
});

test("[M4] doesn't recurse into deep nesting", () => {
  const deep: unknown = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
  const places = ["title", "midi", "created_at", "source", "tempo", "zoom"];
  const top = Object.fromEntries(places.map((name) => [name, deep]));
  const { manifest, warnings } = parse(sentManifest(top, [sentSound({ name: deep, id: deep })]));
  expect(manifest).toMatchObject({ title: "Untitled", source: { app: "App" } });
  expect(warnings).toHaveLength(8);
  expect(refusedBy(sentManifest({}, [sentSound({ file: deep })])).code).toBe("FILE_NAME_WRONG");
});

test("[M5] a megabyte of unknown properties yields 100 warnings", () => {
  const many = Array.from({ length: 100_000 }, (_, index) => `,"${index.toString(36)}":0`).join("");
  const { warnings } = parse(sentText(many));
  expect(warnings).toHaveLength(100);
  expect(warnings.at(-1)?.message).toBe("There are 99901 more warnings.");
});

test("[M4] a list of half a million numbers instead of two yields one warning", () => {
  const value = sentManifest({
    tempo: { time_signature: Array.from({ length: 500_000 }, () => 0) },
  });
  expect(parse(value).warnings).toHaveLength(1);
});

test("[M6] cuts or refuses a megabyte of text in any field", () => {
  const long = "e\u0301\u0323 ".repeat(250_000);
  const { manifest, warnings } = parse(
    sentManifest({ title: long, created_at: long, source: { app: long, platform: long } }, [
      sentSound({ name: long, id: long, kind: long, color: long }),
    ]),
  );
  expect(Array.from(manifest.title).length).toBeLessThanOrEqual(60);
  expect(warnings.map(({ code }) => code).sort()).toEqual([
    "ID_REPLACED",
    "TEXT_CUT",
    "TEXT_CUT",
    "TEXT_CUT",
    "TEXT_CUT",
    "VALUE_IGNORED",
    "VALUE_IGNORED",
    "VALUE_IGNORED",
  ]);
  expect(refusedBy(sentManifest({}, [sentSound({}, `${long}.wav`)])).code).toBe("FILE_NAME_WRONG");
});

test("[M6] cleans device names, paths and bidi text like any other name", () => {
  expect(cleaned("CON")).toMatchObject({ title: "CON", items: [{ name: "CON" }] });
  expect(cleaned("../../etc/passwd")).toMatchObject({
    title: "../../etc/passwd",
    items: [{ name: ".. .. etc passwd" }],
  });
  expect(cleaned("\u202egnp.exe\u0000")).toMatchObject({
    title: "gnp.exe",
    items: [{ name: "gnp.exe" }],
  });
});

test("[M7] 32 sounds with colliding ids get 32 unique ids", () => {
  const ids = ["2", "2-2", "2-3", "1", undefined, "", "x".repeat(100), "__proto__"];
  const sounds = Array.from({ length: 32 }, (_, index) =>
    sentSound({ id: ids[index % ids.length] }, `${index}.wav`),
  );
  const { manifest } = parsed(sentManifest({}, sounds));
  const made = manifest.items.map(({ id }) => id);
  expect(new Set(made).size).toBe(32);
  expect(made.slice(0, 5)).toEqual(["2", "2-2", "2-3", "1", "5"]);
  for (const id of made) expect(id.length).toBeLessThanOrEqual(100);
});
