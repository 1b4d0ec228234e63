import { expect, test } from "vitest";
import { SCHEMA } from "../../../../core/manifest/manifest.ts";
import { judgeManifest } from "../../../../cli/layout/manifest/find-faults.ts";

/** Each fault as `line:column [text] message`. */
function faultsOf(text: string): readonly string[] {
  return judgeManifest(text).faults.map(({ place, message }) =>
    place === null ? message : `${place.line}:${place.column} [${place.text}] ${message}`,
  );
}

function manifest(...lines: readonly string[]): string {
  return [`{ "schema": "${SCHEMA}",`, ...lines, "}"].join("\n");
}

test("[V15] says on each line that isn't JSON where and why", () => {
  const text = `{\n  "title": 'Kit',\n  "items": [\n    { "file": "a.wav" "bpm": 1. }\n    // more\n  ,]\n}`;
  expect(faultsOf(text)).toEqual([
    "2:12 ['Kit'] This isn't a JSON value. Text needs double quotes.",
    '4:23 ["bpm"] A comma is missing before this.',
    "5:5 [// more] JSON has no comments.",
    "6:4 []] A value belongs here.",
  ]);
  expect(faultsOf("{")).toEqual(["1:2 [] A closing } is missing."]);
  expect(faultsOf("")).toEqual(["1:1 [] A value belongs here."]);
  expect(faultsOf('{"a": 1} x')).toHaveLength(1);
});

test.each([
  '{"a": "\u0000"}',
  '{"a": 01}',
  '{"a": 1,}',
  "\u00A0{}",
  '{"a": "\\x"}',
  "[".repeat(5000),
  "nul",
])("[V15] has a place for whatever isn't JSON: %j", (text) => {
  expect(judgeManifest(text).faults).toMatchObject([{ isError: true, place: { line: 1 } }]);
});

test("[V15] shows what the format repairs and refuses, each at its value", () => {
  const text = manifest(
    '  "title": 5, "mood": "dark",',
    '  "tempo": { "bpm": 5, "swing": 1 },',
    '  "items": [',
    '    { "file": "a.wav", "kind": "loop", "bpm": "fast", "mood": 1 },',
    '    { "file": "../b.wav", "bpm": 120 },',
    '    7, { "name": "C" },',
    '    { "file": "a.wav", "id": "" }',
    "  ]",
  );
  expect(faultsOf(text)).toEqual([
    expect.stringMatching(/^2:12 \[5\] title must be/),
    expect.stringMatching(/^2:23 \["dark"\] .*no property "mood"/),
    expect.stringMatching(/^3:21 \[5\] tempo.bpm must be/),
    expect.stringMatching(/^3:33 \[1\] .*no property "tempo.swing"/),
    expect.stringMatching(/^5:47 \["fast"\] bpm must be/),
    expect.stringMatching(/^5:63 \[1\] .*no property "mood"/),
    expect.stringMatching(/^6:15 \["..\/b.wav"\] /),
    expect.stringMatching(/^6:34 \[120\] bpm only applies to a loop/),
    expect.stringMatching(/^7:5 \[7\] /),
    expect.stringMatching(/^7:8 \[\{ "name": "C" \}\] /),
    expect.stringMatching(/^8:15 \["a.wav"\] .*a\.wav/),
    expect.stringMatching(/^8:30 \[""\] id must be/),
  ]);
  const { faults } = judgeManifest(text);
  expect(
    faults.filter(({ isError }) => isError).map(({ soundId, field }) => [soundId, field]),
  ).toEqual([
    ["2", "file"],
    ["3", null],
    ["4", "file"],
    ["5", "file"],
  ]);
});

test("[V15] shows what makes a whole manifest useless", () => {
  expect(faultsOf("[1]")).toEqual([expect.stringMatching(/^1:1 \[\[1\]\] /)]);
  expect(faultsOf('{"items": [],\n "schema": "mine/9"}')).toEqual([
    expect.stringMatching(/^2:12 \["mine\/9"\] /),
  ]);
  expect(faultsOf(manifest('"items": {}'))).toEqual([expect.stringMatching(/^2:10 \[\{\}\] /)]);
  expect(faultsOf(manifest('"title": "No items"'))).toEqual([expect.stringMatching(/^1:1 /)]);
});

test("[V15] names what is there twice, and is about the last, which counts", () => {
  const text = manifest('"items": [{', '"file": "a.wav", "gain_db": 99,', '"gain_db": 98 }]');
  expect(faultsOf(text)).toEqual([
    '3:18 ["gain_db": 99] "gain_db" is there more than once. The last one counts.',
    expect.stringMatching(/^4:12 \[98\] gain_db must be .* changed to 24/),
  ]);
});

test("[V15] shows hostile and long text as text, shortened", () => {
  const long = "x".repeat(500);
  const text = manifest(`"${long}\u202E\\u0007": 1, "items": [{ "file": "${long}" }]`);
  const { faults } = judgeManifest(text);
  expect(faults).toHaveLength(2);
  for (const { place } of faults) {
    expect(place).not.toBeNull();
    for (const quoted of [place?.before, place?.text, place?.after]) {
      expect(quoted?.length).toBeLessThanOrEqual(60);
    }
  }
});

test("[V15] judges deep and wide manifests quickly", () => {
  const deep = manifest(
    `"items": [{ "file": "a.wav" }], "mine": ${"[".repeat(5000)}${"]".repeat(5000)}`,
  );
  expect(judgeManifest(deep).faults).toMatchObject([{ field: "mine", place: null }]);
  const names = Array.from({ length: 20_000 }, (_, index) => `"n${index}": ${index}`);
  const wide = manifest(`"items": [{ "file": "a.wav", ${names.join(",")}, "n1": 0 }]`);
  expect(judgeManifest(wide).faults).toHaveLength(101);
  expect(judgeManifest('{"a" '.repeat(20_000)).faults).toHaveLength(1);
});
