import {
  array,
  assert,
  constant,
  constantFrom,
  double,
  oneof,
  option,
  property,
  string,
  tuple,
} from "fast-check";
import { expect, test } from "vitest";
import { editText, type FieldPath } from "../../../../cli/preview/manifest/edit-text.ts";
import { CODE_POINT } from "../../../code-point.ts";

const NAME: FieldPath = { sound: 0, names: ["name"] };
const BPM: FieldPath = { sound: 0, names: ["bpm"] };
const TEMPO: FieldPath = { sound: null, names: ["tempo", "bpm"] };

const SPREAD = `{
\t"schema" : "app2host/1",
\t"title" : "Kit",
\t"items" : [
\t\t{
\t\t\t"file" : "a.wav",
\t\t\t"kind" : "loop",
\t\t\t"color" : "#FF0000"
\t\t}
\t]
}
`;
const ON_ONE_LINE = `{"schema":"app2host/1","items":[{"file":"a.wav"}]}`;

test("[V16] changes only the bytes of the value", () => {
  const edited = editText(SPREAD, { sound: null, names: ["title"] }, 'The "Kit" – äöü 🥁');
  expect(edited).toBe(SPREAD.replace('"Kit"', '"The \\"Kit\\" – äöü 🥁"'));
});

test("[V16] writes a new field as its neighbors are written, in the format's order", () => {
  const after = '"kind" : "loop",\n\t\t\t';
  expect(editText(SPREAD, BPM, 126.5)).toBe(
    SPREAD.replace(after, `${after}"bpm" : 126.5,\n\t\t\t`),
  );
  expect(editText(SPREAD, NAME, "Kick")).toBe(
    SPREAD.replace('"a.wav",', '"a.wav",\n\t\t\t"name" : "Kick",'),
  );
  expect(editText(ON_ONE_LINE, NAME, "Kick")).toBe(
    ON_ONE_LINE.replace('"a.wav"', '"a.wav","name":"Kick"'),
  );
  const spaced = `{ "items": [ { "file": "a.wav" } ] }`;
  expect(editText(spaced, NAME, "Kick")).toBe(
    `{ "items": [ { "file": "a.wav", "name": "Kick" } ] }`,
  );
  expect(editText(`{"items": [{}]}`, NAME, "Kick")).toBe(`{"items": [{ "name": "Kick" }]}`);
});

test("[V16] adds an object that a field needs, and removes it with its last field", () => {
  const withTempo = SPREAD.replace('"Kit",', '"Kit",\n\t"tempo" : {\n\t\t"bpm" : 126\n\t},');
  expect(editText(SPREAD, TEMPO, 126)).toBe(withTempo);
  expect(editText(withTempo, TEMPO, null)).toBe(SPREAD);
  const windows = SPREAD.replaceAll("\n", "\r\n");
  expect(editText(windows, TEMPO, 126)).toBe(withTempo.replaceAll("\n", "\r\n"));
  expect(editText(ON_ONE_LINE, TEMPO, 126)).toContain('"tempo":{"bpm":126}');
  // As short as the objects beside it.
  const short = `{\n  "source": { "app": "A" },\n  "items": [{}]\n}`;
  expect(editText(short, TEMPO, 90)).toContain('\n  "tempo": { "bpm": 90 },\n');
  expect(editText(`{"tempo": "fast", "items": [{}]}`, TEMPO, 90)).toContain(
    '"tempo": { "bpm": 90 }',
  );
  const both = `{"tempo": {"bpm": 90, "time_signature": [3, 4]}, "items": [{}]}`;
  expect(editText(both, TEMPO, null)).toContain('"tempo": {"time_signature": [3, 4]}');
});

test("[V16] of a name that is there twice, changes the last and removes all", () => {
  const twice = `{"items": [{"bpm": 1, "file": "a.wav", "bpm": 2, "kind": "loop", "bpm": 3}]}`;
  expect(editText(twice, BPM, 126)).toBe(twice.replace("3", "126"));
  expect(editText(twice, BPM, null)).toBe(`{"items": [{"file": "a.wav", "kind": "loop"}]}`);
  expect(editText(`{"items": [{"bpm": 1, "bpm": 2}]}`, BPM, null)).toBe(`{"items": [{}]}`);
});

const member = constantFrom("file", "kind", "name", "bpm", "color", "gain_db", "mine", "__proto__");
const value = oneof(
  string({ unit: CODE_POINT }),
  double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  constant([3, 4]),
);
const space = constantFrom("", " ", "\n", "\r\n\t", "  ");

/** A JSON object with any white space and names that may be there twice. */
const objectText = array(tuple(member, value, space, space, space), { maxLength: 6 }).map(
  (members) => {
    const texts = members.map(
      ([name, one, before, colon, after]) =>
        `${before}${JSON.stringify(name)}${colon}:${colon}${JSON.stringify(one)}${after}`,
    );
    return `{${texts.join(",")}}`;
  },
);

test("[V16] sets and removes any field in any layout of the text, and changes nothing else", () => {
  const field = constantFrom("name", "bpm", "gain_db", "mine");
  assert(
    property(objectText, field, option(value), (object, name, wanted) => {
      const text = `{"items": [${object}], "title": "Kit"}`;
      const expected = JSON.parse(text);
      if (wanted === null) delete expected.items[0][name];
      else expected.items[0][name] = wanted;
      const edited = editText(text, { sound: 0, names: [name] }, wanted);
      expect(JSON.parse(edited)).toEqual(expected);
      // What was set and removed again leaves the text as it was.
      if (wanted !== null && !object.includes(JSON.stringify(name)) && object !== "{}") {
        expect(editText(edited, { sound: 0, names: [name] }, null)).toBe(text);
      }
    }),
  );
});
