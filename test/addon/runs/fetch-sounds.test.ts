import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SoundsFolder } from "../../../addon/disk/sounds-folder.ts";
import { fetchSounds, type FetchOptions } from "../../../addon/runs/fetch-sounds.ts";
import { RelayError } from "../../../core/importer/relay-errors.ts";
import { hashHere } from "../../../program/hashing/hash-here.ts";
import type { StartHash } from "../../../core/audio/running-hash.ts";
import { smallWav } from "../../wav-bytes.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { IMPATIENCE } from "./import-site.ts";
import { cutAfter, failWith, MemorySource, type MemorySound } from "./memory-source.ts";

/** 1,000 bytes. */
const WAV = smallWav({ frames: 478, fill: 1 });
const GONE = new RelayError(404, "No such file.", { code: "FILE_UNKNOWN" });

async function setUp(
  sounds: readonly MemorySound[] = ["A", "B"].map((name) => ({ name, wav: WAV })),
) {
  const source = new MemorySource(sounds);
  const folder = await new SoundsFolder(join(await temporaryFolder(), "sounds")).openFor(
    source.manifest,
  );
  const told: [number, number][] = [];
  const box = { checks: 0, packageTrouble: undefined as unknown };
  const fetch = (options: Partial<FetchOptions> = {}) =>
    fetchSounds(source, folder, {
      signal: new AbortController().signal,
      retryPolicy: IMPATIENCE,
      assertStillThere: async () => {
        box.checks += 1;
        if (box.packageTrouble !== undefined) throw box.packageTrouble;
      },
      onProgress: (done, total) => told.push([done, total]),
      ...options,
    });
  return { source, folder, told, box, fetch };
}

describe("fetching a package's sounds", () => {
  test("[F3] gives each header by its sound, with every file under its final name", async () => {
    const { folder, box, fetch } = await setUp();
    const fetched = await fetch();
    expect([...fetched.keys()].sort()).toEqual(["1", "2"]);
    expect(fetched.get("2")).toMatchObject({ frames: 478 });
    expect(["1", "2"].every((id) => existsSync(folder.pathOf(id)))).toBe(true);
    expect(box.checks).toBe(0);
  });

  test("[R1] asks for no sound that has a problem already, and gives the reason", async () => {
    const { source, told, fetch } = await setUp();
    source.problems.set("1", "A.wav: its size is not known.");
    const fetched = await fetch();
    expect(fetched.get("1")).toEqual({ error: "A.wav: its size is not known." });
    expect(fetched.get("2")).toMatchObject({ frames: 478 });
    expect([...source.starts.keys()]).toEqual(["B.wav"]);
    expect(told.at(-1)).toEqual([1000, 1000]);
  });

  test("[R1] leaves out one that its source does not give, while the package is still there", async () => {
    const { source, box, fetch } = await setUp();
    source.attempts.set("A.wav", [failWith(GONE)]);
    const fetched = await fetch();
    expect(fetched.get("1")).toEqual({ error: "No such file." });
    expect(fetched.get("2")).toMatchObject({ frames: 478 });
    expect(box.checks).toBe(1);
  });

  test("[R1] stops when the package can't be had any more", async () => {
    const { source, box, fetch } = await setUp();
    source.attempts.set("A.wav", [failWith(GONE)]);
    box.packageTrouble = new Error("The relay is away.");
    await expect(fetch()).rejects.toBe(box.packageTrouble);
  });

  test("[R1] leaves out one that is not what was announced, without asking for the package", async () => {
    const { source, box, fetch } = await setUp();
    const other = smallWav({ frames: 478, fill: 2 });
    source.attempts.set("A.wav", [(request) => cutAfter(Infinity)({ ...request, wav: other })]);
    const fetched = await fetch();
    expect(fetched.get("1")).toEqual({
      error: "A.wav: checksum doesn't match the announced one.",
    });
    expect(box.checks).toBe(0);
  });

  test("[R1] stops when the disk fails", async () => {
    const { folder, box, fetch } = await setUp();
    await mkdir(`${folder.pathOf("1")}.part`);
    await expect(fetch()).rejects.toThrow("EISDIR");
    expect(box.checks).toBe(0);
  });

  test("[F3] stops when a file can't get its final name", async () => {
    const { folder, fetch } = await setUp();
    await mkdir(join(folder.pathOf("2"), "x"), { recursive: true });
    await expect(fetch()).rejects.toThrow(/EISDIR|ENOTEMPTY/);
  });

  test("[F3] downloads and hashes four sounds at the same time", async () => {
    const names = Array.from({ length: 8 }, (_, index) => `Sound ${index}`);
    const { folder, fetch } = await setUp(names.map((name) => ({ name, wav: WAV })));
    let waiting = 0;
    let four = Promise.withResolvers<void>();
    const startHash: StartHash = (bytes) => {
      const running = hashHere(bytes);
      return {
        update: (piece) => running.update(piece),
        hex: async () => {
          waiting += 1;
          const together = four;
          if (waiting % 4 === 0) {
            four = Promise.withResolvers();
            together.resolve();
          }
          await together.promise;
          return running.hex();
        },
      };
    };
    await fetch({ startHash });
    const sounds = ["1", "2", "3", "4", "5", "6", "7", "8"].map((id) => folder.pathOf(id));
    expect(sounds.every((path) => existsSync(path))).toBe(true);
  });

  test("[F3] stops with the reason of a cancel", async () => {
    const { source, fetch } = await setUp();
    const reason = new Error("cancelled");
    await expect(fetch({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(source.starts.size).toBe(0);
  });
});

describe("the progress of a download", () => {
  /** Sends the file in pieces of these sizes. */
  const inPieces =
    (...sizes: readonly number[]) =>
    ({ wav }: { readonly wav: Buffer }) => {
      async function* send() {
        let start = 0;
        for (const size of sizes) {
          yield new Uint8Array(wav.subarray(start, start + size));
          start += size;
        }
      }
      return { startByte: 0, fileBytes: wav.length, body: send() };
    };

  test("[N3] is reported by half percents, and at the end", async () => {
    const { source, told, fetch } = await setUp([{ name: "A", wav: WAV }]);
    source.attempts.set("A.wav", [inPieces(4, 1, 4, 1, 987, 1, 1, 1)]);
    await fetch();
    expect(told).toEqual([
      [5, 1000],
      [10, 1000],
      [997, 1000],
      [1000, 1000],
    ]);
  });

  test("[N3] goes back when a sound starts over", async () => {
    const { source, told, fetch } = await setUp([{ name: "A", wav: WAV }]);
    const whole = ({ wav }: { readonly wav: Buffer }) => inPieces(1, 999)({ wav });
    source.attempts.set("A.wav", [cutAfter(600), whole]);
    await fetch();
    expect(told).toEqual([
      [600, 1000],
      [1, 1000],
      [1000, 1000],
    ]);
  });

  test("[N3] adds up the sounds, and counts one without a size as it comes", async () => {
    const { told, fetch } = await setUp([
      { name: "A", wav: WAV },
      { name: "B", wav: WAV, more: { bytes: undefined } },
    ]);
    await fetch();
    expect(told.at(-1)).toEqual([2000, 2000]);
    const totals = told.map(([, total]) => total);
    expect(totals).toEqual(totals.toSorted((a, b) => a - b));
    expect(told.every(([done, total]) => done <= total)).toBe(true);
  });

  test("[N3] counts what an earlier run left", async () => {
    const { told, fetch } = await setUp();
    await fetch();
    told.splice(0);
    await fetch();
    expect(told.at(-1)).toEqual([2000, 2000]);
  });
});
