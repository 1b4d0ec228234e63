import { expect, test } from "vitest";
import { parseLocalManifest } from "../../../core/manifest/parse-manifest.ts";
import { Refusal } from "../../../core/protocol/refusal.ts";
import {
  PACKAGE_ID,
  parsed,
  sentManifest,
  sentSound,
  sentSounds,
  SHA256,
} from "./sample-manifest.ts";
import * as fc from "fast-check";
import { assignIds } from "../../../core/manifest/read-sounds.ts";

function parsedLocally(value: unknown) {
  const { manifest, warnings, problems } = parseLocalManifest(value, { packageId: PACKAGE_ID });
  return { manifest, warnings, problems: Object.fromEntries(problems) };
}

test("[M3] accepts a local package without bytes and sha256, without a warning", () => {
  const { manifest, warnings, problems } = parsedLocally(
    sentManifest({}, [{ file: "kick.wav", kind: "oneshot", name: "Kick" }]),
  );
  expect(manifest.items).toEqual([{ file: "kick.wav", id: "1", name: "Kick", kind: "oneshot" }]);
  expect({ warnings, problems }).toEqual({ warnings: [], problems: {} });
});

test("[M3][F10] a file on a disk may have any name that an importer gives, in a folder only", () => {
  const names = ["Bässe (2).wav", "Kick & Snare!.WAV", "低音.wav", "kick.wav"];
  const bad = ["../up.wav", "a/b.wav", "con.wav ", " x.wav", ".wav", "..wav", "nul.mp3", "a:b.wav"];
  const value = sentManifest(
    {},
    [...names, ...bad].map((file) => ({ file, name: "Kick" })),
  );
  const onDisk = parseLocalManifest(value, { packageId: PACKAGE_ID, isOnDisk: true });
  expect(onDisk.manifest.items.slice(0, names.length).map(({ file }) => file)).toEqual(names);
  expect([...onDisk.problems.keys()]).toEqual(bad.map((_, at) => String(names.length + at + 1)));
  const { problems } = parseLocalManifest(value, { packageId: PACKAGE_ID });
  expect(problems.size).toBe(names.length - 1 + bad.length);
});

test("[M3] keeps a local package's invalid sound in place with its problem", () => {
  const { manifest, problems } = parsedLocally(
    sentManifest({}, [
      { file: "kick.wav", name: "Kick" },
      { file: "../kick.wav", name: "Up", id: "up", kind: "loop", bpm: 120 },
      null,
      { name: "Nothing" },
      { file: "kick.wav" },
      { file: "a.wav", bytes: "1" },
      { file: "b.wav", sha256: 5 },
      { file: "c.wav", bytes: 209_715_200 },
      { file: "d.wav", bytes: 1 },
      "kick.wav",
      { file: "hat.wav", bytes: 0, sha256: SHA256 },
    ]),
  );
  expect(problems).toEqual({
    up: 'Sound 2 "Up": file must be a plain name that ends in .wav.',
    3: "Sound 3 must be a JSON object.",
    4: 'Sound 4 "Nothing": file is missing.',
    5: "Sound 5: another sound already uses kick.wav.",
    6: "Sound 6: bytes must be 1 to 209715200.",
    7: "Sound 7: sha256 must be 64 hex characters.",
    9: "Sound 9: this sound takes the package over 200 MB.",
    10: "Sound 10 must be a JSON object.",
    11: "Sound 11: bytes must be 1 to 209715200.",
  });
  expect(manifest.items.map(({ id, name, kind }) => [id, name, kind])).toEqual([
    ["1", "Kick", "oneshot"],
    ["up", "Up", "loop"],
    ["3", "Sound 3", "oneshot"],
    ["4", "Nothing", "oneshot"],
    ...[5, 6, 7, 8, 9, 10, 11].map((n) => [String(n), `Sound ${n}`, "oneshot"]),
  ]);
  expect(manifest.items[1]).toEqual({ file: "", id: "up", name: "Up", kind: "loop", bpm: 120 });
});

test("[M3] never returns a file name that leads out of the folder", () => {
  for (const file of ["../a.wav", "/etc/a.wav", "a\0.wav", "C:\\a.wav", 5, null, {}]) {
    expect(parsedLocally(sentManifest({}, [{ file }])).manifest.items[0]?.file).toBe("");
  }
});

test("[M1][M2] refuses a local manifest's outer shape like an uploaded one's", () => {
  const codes = [[], { schema: "app2host/2" }, { schema: "x" }, sentManifest({ items: [] })].map(
    (value) => {
      try {
        return parsedLocally(value);
      } catch (error) {
        return error instanceof Refusal && error.code;
      }
    },
  );
  expect(codes).toEqual(["MANIFEST_NOT_OBJECT", "SCHEMA_NEWER", "SCHEMA_UNKNOWN", "ITEMS_MISSING"]);
});

test("[M4] repairs a local package like an uploaded one", () => {
  const value = sentManifest(
    { title: "a\nb", midi: [], zoom: 1 },
    sentSounds({ kind: "lop", gain_db: 99, id: "x" }, { color: "red", id: "x" }),
  );
  const { problems, ...local } = parsedLocally(value);
  expect(local).toEqual(parsed(value));
  expect(problems).toEqual({});
});

test("[M7] keys problems by safe ids, regardless of the ids sent", () => {
  const { problems } = parseLocalManifest(
    sentManifest({}, [sentSound({ id: "__proto__", bytes: 0 }), { id: "__proto__" }]),
    { packageId: PACKAGE_ID },
  );
  expect([...problems.keys()]).toEqual(["__proto__", "__proto__-2"]);
});

const id = fc.constantFrom("1", "2", "3", "2-2", "2-3", "a", "a-2", "__proto__", "x".repeat(100));

test.each([
  ["a b", "a b"],
  ["- -", "1 2"],
  ["a a a", "a a-2 a-3"],
  ["2 -", "2 2-2"],
  ["- 1", "1-2 1"],
  ["3 3 -", "3 3-2 3-3"],
  ["a a a-2 a-3", "a a-4 a-2 a-3"],
  ["2 - 2-2 2", "2 2-3 2-2 2-4"],
  ["__proto__ __proto__ constructor", "__proto__ __proto__-2 constructor"],
])("[M7] assigns the sent ids %s the ids %s, where a hyphen is none", (sent, ids) => {
  const given = sent.split(" ").map((one) => (one === "-" ? undefined : one));
  expect(assignIds(given)).toEqual(ids.split(" "));
});

test("[M7] shortens a duplicate's base to keep the id within 100 characters", () => {
  const long = "x".repeat(100);
  expect(assignIds([long, long])).toEqual([long, `${"x".repeat(98)}-2`]);
  const many = Array.from({ length: 12 }, () => "𝄞".repeat(100));
  const ids = assignIds(many);
  expect(ids[1]).toBe(`${"𝄞".repeat(98)}-2`);
  expect(ids[11]).toBe(`${"𝄞".repeat(97)}-12`);
});

test("[M7] ids are unique and at most 100 characters, and the first sender keeps its id", () => {
  fc.assert(
    fc.property(fc.array(fc.option(id, { nil: undefined }), { maxLength: 32 }), (sent) => {
      const ids = assignIds(sent);
      expect(new Set(ids).size).toBe(sent.length);
      for (const [index, given] of ids.entries()) {
        expect(Array.from(given).length).toBeLessThanOrEqual(100);
        const isFirst = sent[index] !== undefined && sent.indexOf(sent[index]) === index;
        expect(given === sent[index]).toBe(isFirst);
        if (!isFirst) expect(sent).not.toContain(given);
      }
    }),
    { numRuns: 1000 },
  );
});

test("[M7] warns about a changed id with both values, but not about a default id", () => {
  const sounds = sentSounds({ id: "kick" }, {}, { id: "kick" }, { id: 4 }, { id: "2" });
  const { manifest, warnings } = parsed(sentManifest({}, sounds));
  expect(manifest.items.map((sound) => sound.id)).toEqual(["kick", "2-2", "kick-2", "4", "2"]);
  expect(warnings).toEqual([
    {
      code: "ID_TAKEN",
      message: 'id "2" is already used; it was changed to "2-2".',
      sound: "2-2",
      field: "id",
    },
    {
      code: "ID_TAKEN",
      message: 'id "kick" is already used; it was changed to "kick-2".',
      sound: "kick-2",
      field: "id",
    },
    {
      code: "ID_REPLACED",
      message: 'id must be text of 1 to 100 characters; 4 was changed to "4".',
      sound: "4",
      field: "id",
    },
  ]);
});

test("[M7] treats ids such as __proto__ like any other", () => {
  const ids = ["__proto__", "constructor", "toString", "hasOwnProperty"];
  const { manifest, warnings } = parsed(sentManifest({}, sentSounds(...ids.map((id) => ({ id })))));
  expect(manifest.items.map((sound) => sound.id)).toEqual(ids);
  expect(warnings).toEqual([]);
});
