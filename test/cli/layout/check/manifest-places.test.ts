import { rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { brokenPackage } from "../../../../cli/layout/check/check-package.ts";
import { smallWav } from "../../../wav-bytes.ts";
import { temporaryFolder } from "../../../addon/temporary-folder.ts";
import { writePackage } from "../package-folders.ts";
import { acceptFolder, checkFolder } from "./check-folders.ts";

const LINES = [
  "{",
  '  "schema": "app2host/1", "title": "Found",',
  '  "source": { "app": "App" },',
  '  "items": [',
  '    { "file": "hit.wav", "name": "Hit", "kind": "oneshot", "gain_db": -3 },',
  '    { "file": "tick.wav", "name": "Tick",',
  '      "kind": "oneshot" }',
  "  ]",
  "}",
];

/** Accepts a package, changes lines of its manifest, and returns each problem with its place. */
async function placesAfter(
  change: (lines: readonly string[]) => readonly string[],
  { mark = "", end = "\n" } = {},
) {
  const folder = await writePackage(join(await temporaryFolder(), "kit"));
  const write = (lines: readonly string[]) =>
    writeFile(join(folder, "manifest.json"), mark + lines.join(end));
  await write(LINES);
  await acceptFolder(folder);
  await write(change(LINES));
  const { problems, manifestPath } = await checkFolder(folder);
  expect(manifestPath).toBe(join(folder, "manifest.json"));
  return problems.map(({ code, name, place }) => [code, name, place?.line, place?.column]);
}

const louder = (lines: readonly string[]) =>
  lines.map((line) => line.replace("-3", "-6").replace('"Found"', '"Lost"'));

test.each([
  ["LF", {}],
  ["CRLF", { end: "\r\n" }],
  ["a byte order mark", { mark: "\uFEFF" }],
  ["both", { mark: "\uFEFF", end: "\r\n" }],
])("[B10] a difference is at the field that it comes from, with %s", async (_name, form) => {
  expect(await placesAfter(louder, form)).toEqual([
    ["scene", "", 2, 36],
    ["gain_db", "Hit", 5, 71],
  ]);
});

test("[B10] a mark and a single line move no column", async () => {
  const oneLine = (lines: readonly string[]) => [louder(lines).join("")];
  const [scene] = await placesAfter(oneLine, { mark: "\uFEFF" });
  expect(scene).toEqual(["scene", "", 1, 37]);
});

test("[B10] a difference without its field is at its sound, and a removed sound at the list", async () => {
  const silent = (lines: readonly string[]) =>
    lines.map((line) => line.replace(', "gain_db": -3', "").replace("},", "}"));
  const withoutSecond = (lines: readonly string[]) =>
    silent(lines)
      .filter((_, index) => index !== 5 && index !== 6)
      .map((line) => line.replace('"App" }', '"App" },'));
  expect(await placesAfter(withoutSecond)).toEqual([
    ["gain_db", "Hit", 5, 5],
    ["presence", "Tick", 4, 12],
  ]);
});

test("[B10] a file that isn't as accepted is at its name, and one that isn't as announced at what announces it", async () => {
  const folder = await writePackage(join(await temporaryFolder(), "kit"));
  const sums = LINES.map((line) =>
    line
      .replace('"Hit",', '"Hit", "bytes": 244,')
      .replace('"Tick",', `"Tick", "sha256": "${"0".repeat(64)}",`),
  );
  await writeFile(join(folder, "manifest.json"), LINES.join("\n"));
  await acceptFolder(folder);
  await writeFile(join(folder, "manifest.json"), sums.join("\n"));
  await writeFile(join(folder, "hit.wav"), smallWav({ frames: 90, fill: 3 }));
  const { problems, differences } = await checkFolder(folder);
  expect(problems.map(({ code, name, place }) => [code, name, place?.line, place?.column])).toEqual(
    [
      ["SIZE_DIFFERS", "Hit", 5, 50],
      ["SHA256_DIFFERS", "Tick", 6, 53],
      ["audio", "Hit", 5, 15],
    ],
  );
  const audio = differences.filter(({ setting }) => setting === "audio" || setting === "length");
  expect(audio.map(({ place }) => place)).toEqual([
    { line: 5, column: 15 },
    { line: 5, column: 15 },
  ]);
});

test("[B10] what is wrong with the golden is at the manifest's beginning", async () => {
  const folder = await writePackage(join(await temporaryFolder(), "kit"));
  const { status, problems } = await checkFolder(folder);
  expect(status).toBe("missing");
  expect(problems.map(({ place }) => place)).toEqual([{ line: 1, column: 1 }]);
});

test.each([
  ['{\n  "title": "x",\n  oops\n}', { line: 3, column: 3 }],
  ['{\n  "schema": "app2host/1",\n  "items": []\n}', { line: 3, column: 12 }],
])("[B10] a manifest that can't be used has the place of its fault", async (text, place) => {
  const folder = await writePackage(join(await temporaryFolder(), "kit"));
  await writeFile(join(folder, "manifest.json"), text);
  const { problems, status } = await brokenPackage(folder, "It can't be used.");
  expect([status, problems.map((problem) => problem.place)]).toEqual(["broken", [place]]);
});

test.skipIf(process.platform === "win32")(
  "[B10] a manifest that is missing, or outside its folder, has no place",
  async () => {
    const root = await temporaryFolder();
    const folder = await writePackage(join(root, "kit"));
    await rm(join(folder, "manifest.json"));
    expect((await brokenPackage(folder, "No.")).problems[0]?.place).toBeNull();
    expect((await brokenPackage(join(root, "nowhere"), "No.")).problems[0]?.place).toBeNull();
    await writeFile(join(root, "outside.json"), "{,");
    await symlink(join(root, "outside.json"), join(folder, "manifest.json"));
    expect((await brokenPackage(folder, "No.")).problems[0]?.place).toBeNull();
  },
);
