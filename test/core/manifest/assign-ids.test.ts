import * as fc from "fast-check";
import { expect, test } from "vitest";
import { assignIds } from "../../../core/manifest/read-sounds.ts";
import { parsed, sentManifest, sentSounds } from "./sample-manifest.ts";

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
