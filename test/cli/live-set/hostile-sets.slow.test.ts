import { execFileSync } from "node:child_process";
import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { GOOD } from "../../core/live-set/check/good-set.ts";
import { checkSets } from "./set-project.ts";

const MB = 1024 * 1024;

/** Each ends in a sentence; what would take minutes fails at the test's own limit of time. */
const HOSTILE: readonly (readonly [what: string, text: () => string | Buffer, error: string])[] = [
  ["a bomb", () => Buffer.alloc(65 * MB, " "), "It unpacks to more than 64 MB."],
  ["only blanks", () => Buffer.alloc(64 * MB, " "), "The XML is empty (line 1)."],
  [
    "only ends of lines",
    () => Buffer.alloc(64 * MB, "\n"),
    `The XML is empty (line ${64 * MB + 1}).`,
  ],
  ["only brackets", () => Buffer.alloc(64 * MB, "<"), "has something that isn't an element"],
  ["depth", () => "<A>".repeat(20 * MB), "has elements more than 200 deep"],
  ["many elements", () => `<A>${"<B/>".repeat(15 * MB)}</A>`, "has more than 1500000 elements"],
  ["a value without end", () => `<A b="${"c".repeat(60 * MB)}`, "a value of b that doesn't end"],
  ["a name without end", () => `<${"a".repeat(60 * MB)}`, "that doesn't end"],
  ["blanks in a tag", () => `<A${" ".repeat(60 * MB)}`, "that doesn't end"],
  ["many entities", () => `<A b="${"&amp;".repeat(10 * MB)}"/>`, "has a value that is too long"],
  ["a comment without end", () => `<A><!--${"-".repeat(60 * MB)}`, "a comment that doesn't end"],
  [
    "entities within entities",
    () => '<!DOCTYPE a [<!ENTITY b "&c;&c;"><!ENTITY c "d">]><a>&b;</a>',
    "has a DOCTYPE",
  ],
];

test.each(HOSTILE)("[LS22] %s ends in a sentence", async (_what, text, error) => {
  const set = join(await temporaryFolder(), "Hostile.als");
  await writeFile(set, gzipSync(text(), { level: 1 }));
  expect(await checkSets(set)).toMatchObject({
    status: 2,
    sets: [{ error: expect.stringContaining(error) }],
  });
});

test("[LS22] a Set of a million elements that are all wrong is judged", async () => {
  const set = join(await temporaryFolder(), "Wrong.als");
  const many = "<Scene />".repeat(1_000_000);
  await writeFile(set, gzipSync(GOOD.replace("<Scenes>", `<Scenes>${many}`), { level: 1 }));
  const { status, sets } = await checkSets(set);
  expect(status).toBe(1);
  expect(sets[0].findings.length + sets[0].notes.length).toBe(1000);
  expect(sets[0].more).toBeGreaterThan(1_000_000);
});

test("[LS33] a Set that names a hundred thousand files is judged", async () => {
  const set = join(await temporaryFolder(), "Files.als");
  const clip = (at: number) =>
    `<AudioClip Id="${at}" Time="0"><SampleRef><FileRef><RelativePathType Value="1" />` +
    `<RelativePath Value="${at}.wav" /></FileRef></SampleRef></AudioClip>`;
  const clips = Array.from({ length: 100_000 }, (_, at) => clip(at)).join("");
  await writeFile(set, gzipSync(GOOD.replace("<Events />", `<Events>${clips}</Events>`)));
  const { status, sets } = await checkSets(set);
  expect(status).toBe(1);
  expect(sets[0].more).toBeGreaterThan(100_000);
});

test.skipIf(process.platform === "win32")(
  "[LS22] a larger file isn't read, and a pipe isn't waited for",
  async () => {
    const folder = await temporaryFolder();
    const [large, pipe] = [join(folder, "Large.als"), join(folder, "Pipe.als")];
    await writeFile(large, "");
    await truncate(large, 10_000 * MB);
    execFileSync("mkfifo", [pipe]);
    const { sets } = await checkSets(large, pipe);
    expect(sets).toEqual([
      { file: large, error: "It has more than 64 MB." },
      { file: pipe, error: "It isn't a file." },
    ]);
  },
);
