import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chunk, format, wav } from "../../fixtures/wav-bytes.ts";
import { checkCorpus } from "../../scripts/corpus/check-corpus.ts";
import { readIndex } from "../../scripts/corpus/read-index.ts";

const HEAD = "file\tverdict\twhy\tsampleRate\tchannels\tbits\tframes";
const script = path.join(import.meta.dirname, "../../scripts/run-corpus.ts");
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "corpus-"));
  const plain = chunk("fmt ", format());
  await writeFile(path.join(folder, "good.wav"), wav([plain, chunk("data", new Uint8Array(20))]));
  await writeFile(path.join(folder, "bad.wav"), wav([plain]));
});

afterAll(() => rm(folder, { recursive: true }));

async function withIndex(...lines: string[]): Promise<void> {
  await writeFile(path.join(folder, "INDEX.tsv"), [HEAD, ...lines, ""].join("\n"));
}

function run(...args: string[]): Promise<{ status: unknown; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], (error, stdout, stderr) => {
      resolve({ status: error ? error.code : 0, stdout, stderr });
    });
  });
}

describe("the index", () => {
  test("states nothing in an empty field", () => {
    const [line] = readIndex(`${HEAD}\r\na.wav\taccept\t\t44100\t\t16\t\r\n`);
    expect(line).toEqual({
      file: "a.wav",
      verdict: "accept",
      why: "",
      audio: new Map([
        ["sampleRate", 44_100],
        ["bits", 16],
      ]),
    });
  });

  test("names a line without file or verdict", () => {
    expect(() => readIndex(`${HEAD}\na.wav\taccept\n\tmaybe\n`)).toThrow("line 3");
    expect(() => readIndex("file\tverdikt\n")).toThrow("no column verdict");
  });
});

describe("a corpus", () => {
  test("[U4] agrees if verdict and audio match the index, or either is allowed", async () => {
    await withIndex(
      "good.wav\taccept\t\t44100\t1\t16\t10",
      "bad.wav\treject\tno audio",
      "good.wav\tpolicy",
      "bad.wav\tpolicy",
    );
    expect(await checkCorpus(folder)).toEqual({
      files: 4,
      accepted: 2,
      refused: 2,
      differences: [],
    });
    const { status, stdout } = await run(folder);
    expect(status).toBe(0);
    expect(stdout).toBe("4 files: 2 accepted, 2 refused; 0 differences from the index\n");
  });

  test("[U4] prints every difference and ends with status 1", async () => {
    await withIndex(
      "good.wav\treject\tbroken",
      "bad.wav\taccept",
      "good.wav\taccept\t\t48000\t2\t16\t10",
      "lost.wav\taccept",
    );
    const { status, stdout } = await run(folder);
    expect(status).toBe(1);
    expect(stdout.split("\n")).toEqual([
      "good.wav: the index rejects it (broken), the reader says 44100 Hz, 1 ch, 16-bit pcm, 10 frames",
      "bad.wav: the index accepts it, the reader says WAV_NO_DATA (bad.wav: contains no audio. Export it again.)",
      "good.wav: sampleRate is 48000 in the index, 44100 to the reader",
      "good.wav: channels is 2 in the index, 1 to the reader",
      expect.stringContaining("lost.wav: ENOENT"),
      "4 files: 2 accepted, 1 refused; 5 differences from the index",
      "",
    ]);
  });

  test("prints its usage, with status 2, when it is used wrongly", async () => {
    const nowhere = path.join(folder, "nowhere");
    for (const args of [[], [folder, folder], ["--all"], [nowhere]]) {
      const { status, stdout, stderr } = await run(...args);
      expect(status).toBe(2);
      expect(stdout).toBe("");
      expect(stderr).toContain("Usage: npm run corpus");
    }
  });
});
