import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { REFUSALS } from "../../../core/protocol/refusals.ts";
import { REFUSED_WAVS } from "../../../fixtures/refused-wavs.ts";
import { judgeWav } from "../../../scripts/corpus/judge-wav.ts";

const folder = path.join(import.meta.dirname, "../../../fixtures/refused/wav");

async function readCases(): Promise<{ file: string; code: string; error: string }[]> {
  const cases: unknown = JSON.parse(await readFile(path.join(folder, "cases.json"), "utf8"));
  if (!Array.isArray(cases)) throw new Error("cases.json must be a list");
  return cases;
}

test("[U4] every WAV refusal has a case", async () => {
  const codes = new Set((await readCases()).map((entry) => entry.code));
  const expected = Object.keys(REFUSALS).filter((code) => code.startsWith("WAV_"));
  expect([...codes].sort()).toEqual(expected.sort());
});

test("[U4] every case is refused with its exact code and sentence", async () => {
  for (const { file, code, error } of await readCases()) {
    const judgment = await judgeWav(await readFile(path.join(folder, file)), file);
    expect(judgment, file).toMatchObject({ code, message: error });
  }
});

test("[U4] docs/use/wav.md has the cause of every WAV refusal", async () => {
  const page = await readFile(path.join(import.meta.dirname, "../../../docs/use/wav.md"), "utf8");
  const explained = [...page.matchAll(/^\| `(WAV_\w+)` \| \S.* \|$/gm)].map(([, code]) => code);
  const codes = Object.keys(REFUSALS).filter((code) => code.startsWith("WAV_"));
  expect(explained).toEqual(codes);
});

test("the refused WAVs match the output of their script", async () => {
  const cases = REFUSED_WAVS.map(({ file, code, error }) => ({ file, code, error }));
  expect(await readCases()).toEqual(cases);
  const files = (await readdir(folder)).filter((file) => file.endsWith(".wav"));
  expect(files.sort()).toEqual(REFUSED_WAVS.map(({ file }) => file).sort());
  for (const { file, bytes } of REFUSED_WAVS) {
    expect(bytes, file).toEqual(new Uint8Array(await readFile(path.join(folder, file))));
  }
});
