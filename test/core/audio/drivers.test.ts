import { describe, expect, test } from "vitest";
import { Refusal } from "../../../core/protocol/refusal.ts";
import { readWavHeaderAt } from "../../../core/audio/read-wav-header-at.ts";
import { WavHeaderReader } from "../../../core/audio/wav-header-reader.ts";
import { ascii, chunk, format, join, wav } from "../../../fixtures/wav-bytes.ts";
import * as fc from "fast-check";
import { chunkSoups, damagedWavs, expectSoundJudgment, noise, pieceSizes } from "./hostile-wavs.ts";

const plain = chunk("fmt ", format());
const data = chunk("data", new Uint8Array(48));
const whole = wav([plain, data]);

/** A file that counts its reads and refuses any beyond its end. */
class CountedFile {
  readonly reads: number[] = [];
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  readonly readAt = (offset: number, length: number): Promise<Uint8Array> => {
    if (offset < 0 || length < 1 || offset + length > this.bytes.length) {
      throw new Error(`read of ${length} bytes at ${offset}, outside the file`);
    }
    this.reads.push(length);
    return Promise.resolve(this.bytes.slice(offset, offset + length));
  };
}

describe("a stream", () => {
  test("[U1][U4] returns the header with the piece that completes it, then does no more work", () => {
    const reader = new WavHeaderReader(whole.length, "kick.wav");
    expect(reader.push(whole.subarray(0, 43))).toBeUndefined();
    expect(reader.header).toBeUndefined();
    const header = reader.push(whole.subarray(43, 44));
    expect(header).toMatchObject({ frames: 24 });
    expect(reader.push(new Uint8Array(1_000_000))).toBe(header);
    expect(reader.header).toBe(header);
    expect(reader.end()).toBe(header);
  });

  test("[U1][U4] returns the same header for every split into two pieces", () => {
    for (let cut = 0; cut <= whole.length; cut += 1) {
      const reader = new WavHeaderReader(whole.length, "kick.wav");
      reader.push(whole.subarray(0, cut));
      reader.push(whole.subarray(cut));
      expect(reader.end()).toMatchObject({ dataOffset: 44, frames: 24 });
    }
  });

  test("[U1] retains no piece, so senders can reuse the memory", () => {
    const memory = new Uint8Array(5);
    const reader = new WavHeaderReader(whole.length, "kick.wav");
    for (let offset = 0; offset < whole.length; offset += memory.length) {
      const piece = whole.subarray(offset, offset + memory.length);
      memory.set(piece);
      reader.push(memory.subarray(0, piece.length));
      memory.fill(0xff);
    }
    expect(reader.end()).toMatchObject({ frames: 24 });
  });

  test("[U1][U4] refuses as early as possible, and on every later call", () => {
    const surround = wav([chunk("fmt ", format({ channels: 6 })), data]);
    const reader = new WavHeaderReader(surround.length, "kick.wav");
    reader.push(surround.subarray(0, 35));
    const again = [
      () => reader.push(surround.subarray(35, 36)),
      () => reader.push(surround.subarray(36)),
      () => reader.push(new Uint8Array(0)),
      () => reader.end(),
    ];
    for (const call of again) expect(call).toThrow("kick.wav: 6 channels.");
    expect(reader.header).toBeUndefined();
  });

  test("[U4] refuses a chunk that hides the audio without waiting for its end", () => {
    const file = wav([plain, chunk("LIST", [], 0xffff_fff0)]);
    const reader = new WavHeaderReader(200_000_000, "kick.wav");
    expect(() => reader.push(file)).toThrow("contains no audio");
  });

  test("[U4] refuses a stream that ends early, and an empty one", () => {
    const reader = new WavHeaderReader(whole.length, "kick.wav");
    reader.push(whole.subarray(0, 30));
    expect(() => reader.end()).toThrow("broken format chunk");
    expect(() => new WavHeaderReader(0, "kick.wav").end()).toThrow("not a WAV file");
  });

  test("[U4] compares the audio with the announced size, not with the bytes received", () => {
    const reader = new WavHeaderReader(whole.length - 1, "kick.wav");
    expect(() => reader.push(whole)).toThrow("the file is incomplete");
  });
});

describe("random access", () => {
  test("[U4] needs one read if the audio starts within 4 KiB", async () => {
    const tagged = wav([plain, chunk("LIST", new Uint8Array(4000)), data, new Uint8Array(9000)]);
    const file = new CountedFile(tagged);
    await readWavHeaderAt(file.readAt, tagged.length, "kick.wav");
    expect(file.reads).toEqual([4096]);
  });

  test("[U4] skips a large chunk with one more read", async () => {
    const tagged = wav([plain, chunk("bext", new Uint8Array(3_000_000)), data]);
    const file = new CountedFile(tagged);
    const header = await readWavHeaderAt(file.readAt, tagged.length, "kick.wav");
    expect(header).toMatchObject({ dataOffset: 3_000_052, frames: 24 });
    expect(file.reads).toHaveLength(2);
  });

  test("[U4] grows its windows over many small chunks", async () => {
    const many = join(...Array.from({ length: 30_000 }, () => chunk("note", [1, 2])));
    const tagged = wav([many, plain, data]);
    const file = new CountedFile(tagged);
    await readWavHeaderAt(file.readAt, tagged.length, "kick.wav");
    expect(file.reads.slice(0, 6)).toEqual([4096, 8192, 16_384, 32_768, 65_536, 65_536]);
    expect(file.reads.length).toBeLessThanOrEqual(5 + many.length / 65_536);
  });

  test("[U4] handles short reads", async () => {
    const readAt = (offset: number): Promise<Uint8Array> =>
      Promise.resolve(whole.subarray(offset, offset + 3));
    expect(await readWavHeaderAt(readAt, whole.length, "kick.wav")).toMatchObject({ frames: 24 });
  });

  test("[U4] refuses a file that turns out shorter than announced", async () => {
    const readAt = (offset: number, length: number): Promise<Uint8Array> =>
      Promise.resolve(whole.subarray(0, 40).subarray(offset, offset + length));
    const reading = readWavHeaderAt(readAt, whole.length, "kick.wav");
    await expect(reading).rejects.toThrow("contains no audio");
  });

  test("[U4] reads nothing of an empty file", async () => {
    const file = new CountedFile(ascii(""));
    await expect(readWavHeaderAt(file.readAt, 0, "kick.wav")).rejects.toThrow(Refusal);
    expect(file.reads).toEqual([]);
  });

  test("[U4] propagates the reader's error", async () => {
    const disk = { readAt: () => Promise.reject(new Error("disk gone")) };
    await expect(readWavHeaderAt(disk.readAt, 100, "kick.wav")).rejects.toThrow("disk gone");
  });
});

const kinds = { noise, "chunk soups": chunkSoups, "damaged files": damagedWavs };

for (const [kind, files] of Object.entries(kinds)) {
  test(`[U4] ${kind} are read or refused without other errors`, async () => {
    await fc.assert(
      fc.asyncProperty(files, pieceSizes, (bytes, sizes) => expectSoundJudgment(bytes, sizes)),
      { numRuns: 300 },
    );
  });
}

test("[U1][U4] a false announced size does no harm", async () => {
  const lies = fc.oneof(fc.nat(400), fc.constantFrom(0, 11, 12, 20, 209_715_200));
  await fc.assert(fc.asyncProperty(damagedWavs, pieceSizes, lies, expectSoundJudgment), {
    numRuns: 300,
  });
});
