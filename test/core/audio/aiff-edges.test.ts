import { Buffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import { MAX_SAMPLE_RATE_HZ } from "../../../core/limits.ts";
import { aiff, type AiffOptions, basc, chunk, readAiff, sustainLoop } from "./aiff-bytes.ts";

/** Bytes with a number at an offset after the first chunk of a name. */
function patched(bytes: Buffer, name: string, at: number, value: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt16BE(value, copy.indexOf(name, 0, "latin1") + 8 + at);
  return copy;
}

describe("[G7] the WAV that an AIFF becomes", () => {
  test.each<[AiffOptions, "pcm" | "float", number]>([
    [{ bits: 1 }, "pcm", 8],
    [{ bits: 8 }, "pcm", 8],
    [{ bits: 9 }, "pcm", 16],
    [{ bits: 16 }, "pcm", 16],
    [{ bits: 17 }, "pcm", 24],
    [{ bits: 24 }, "pcm", 24],
    [{ bits: 25 }, "pcm", 32],
    [{ bits: 32 }, "pcm", 32],
    [{ codec: "sowt" }, "pcm", 16],
    [{ codec: "raw ", bits: 8 }, "pcm", 8],
    [{ codec: "fl32", bits: 32 }, "float", 32],
    [{ codec: "fl64", bits: 64 }, "float", 32],
  ])("of %o is %s with %i bits", async (options, encoding, bitsPerSample) => {
    expect((await readAiff(aiff(options))).wav).toEqual({
      encoding,
      channels: 1,
      sampleRateHz: 44_100,
      bitsPerSample,
    });
  });

  test.each<[AiffOptions, string]>([
    [{ bits: 0, audio: Buffer.alloc(8), frames: 1 }, "0-bit"],
    [{ bits: 33 }, "33-bit"],
    [{ codec: "raw ", bits: 16 }, "16-bit"],
    [{ sampleRateHz: 0.25 }, "sample rate 0 Hz"],
    [{ sampleRateHz: MAX_SAMPLE_RATE_HZ + 1 }, `sample rate ${MAX_SAMPLE_RATE_HZ + 1} Hz`],
    [{ sampleRateHz: 0 }, "broken format chunk"],
  ])("of %o is none: %s", async (options, words) => {
    await expect(readAiff(aiff(options))).rejects.toThrow(`tone.aif: ${words}`);
  });

  test.each([1, 11_025.3, 44_099.7, MAX_SAMPLE_RATE_HZ])("has the rate of %d Hz", async (rate) => {
    expect((await readAiff(aiff({ sampleRateHz: rate }))).wav.sampleRateHz).toBe(Math.round(rate));
  });

  test("has no rate where the AIFF's is infinite", async () => {
    const infinite = patched(aiff(), "COMM", 8, 0x7fff);
    await expect(readAiff(infinite)).rejects.toThrow("broken format chunk");
  });
});

describe("[G7] the chunks of an AIFF", () => {
  test("count once each: the first of a name does", async () => {
    const { frames } = await readAiff(
      aiff({ frames: 7, after: [aiff({ frames: 9 }).subarray(12)] }),
    );
    expect(frames).toBe(7);
  });

  test("end where the audio's head is cut, and the refusal names the file", async () => {
    const empty = chunk("SSND", Buffer.alloc(7));
    const bytes = aiff({ frames: 2 });
    const at = bytes.indexOf("SSND", 0, "latin1");
    const cut = Buffer.concat([bytes.subarray(0, at), empty]);
    await expect(readAiff(cut)).rejects.toThrow("tone.aif: the file is incomplete.");
  });

  test("are looked at up to the 256th", async () => {
    const many = (count: number) =>
      aiff({ before: Array.from({ length: count }, () => chunk("JUNK", Buffer.alloc(0))) });
    expect((await readAiff(many(254))).frames).toBe(100);
    await expect(readAiff(many(255))).rejects.toThrow("contains no audio");
    await expect(readAiff(many(256))).rejects.toThrow("no format chunk");
  });

  test("end where a file is shorter than it says", async () => {
    const bytes = aiff();
    await expect(readAiff(bytes.subarray(0, 15), bytes.length)).rejects.toThrow("no format chunk");
    const whole = aiff({ after: [chunk("NAME", Buffer.alloc(0))] });
    expect((await readAiff(whole)).frames).toBe(100);
  });
});

describe("[G3][G7] the loop of an AIFF", () => {
  test("is an Apple Loop's, whose beats must be known unless it is a one-shot", async () => {
    const hintsOf = async (...[beats, type]: Parameters<typeof basc>) =>
      (await readAiff(aiff({ frames: 88_200, after: [basc(beats, type)] }))).hints;
    expect(await hintsOf(0)).toEqual({});
    expect(await hintsOf(0, 2)).toEqual({ acid: { isOneShot: true, beats: 0, tempoBpm: 0 } });
    expect(await hintsOf(3, 0)).toMatchObject({ acid: { isOneShot: true, beats: 3 } });
    const cut = async (bytes: number) =>
      (await readAiff(aiff({ after: [chunk("basc", Buffer.alloc(bytes))] }))).hints;
    expect([await cut(17), (await cut(18)).acid?.beats]).toEqual([{}, 0]);
  });

  test("lies between two markers of which the second is later", async () => {
    const hintsOf = async (before: readonly Buffer[]) => (await readAiff(aiff({ before }))).hints;
    expect(await hintsOf(sustainLoop([10, 11]))).toEqual({
      sampler: { startFrame: 10, endFrame: 10 },
    });
    for (const positions of [
      [10, 10],
      [11, 10],
    ]) {
      expect(await hintsOf(sustainLoop(positions))).toEqual({});
    }
    expect(await hintsOf(sustainLoop([10, 20], 7, 2))).toEqual({});
    expect(await hintsOf(sustainLoop([10, 20, 30], 2, 3))).toEqual({
      sampler: { startFrame: 20, endFrame: 29 },
    });
  });

  test("is none where it doesn't run forward, or a chunk is missing or cut", async () => {
    const [mark = Buffer.alloc(0), inst = Buffer.alloc(0)] = sustainLoop([10, 20]);
    const hintsOf = async (before: readonly Buffer[]) => (await readAiff(aiff({ before }))).hints;
    const backward = Buffer.from(inst);
    backward.writeUInt16BE(2, 8 + 8);
    expect(await hintsOf([mark, backward])).toEqual({});
    expect(await hintsOf([mark])).toEqual({});
    expect(await hintsOf([inst])).toEqual({});
    const body = inst.subarray(8);
    expect(await hintsOf([mark, chunk("INST", body.subarray(0, 13))])).toEqual({});
    expect(await hintsOf([mark, chunk("INST", body.subarray(0, 14))])).not.toEqual({});
  });

  test("finds markers behind names of odd and even lengths", async () => {
    const marker = (id: number, position: number, name: string) => {
      const text = Buffer.from(name, "latin1");
      const bytes = Buffer.alloc(7 + text.length + ((1 + text.length) % 2));
      bytes.writeUInt16BE(id, 0);
      bytes.writeUInt32BE(position, 2);
      bytes.writeUInt8(text.length, 6);
      text.copy(bytes, 7);
      return bytes;
    };
    const [, inst = Buffer.alloc(0)] = sustainLoop([0, 0], 1, 3);
    const markers = [marker(1, 10, "in"), marker(2, 15, "mid"), marker(3, 20, "")];
    const mark = chunk("MARK", Buffer.concat([Buffer.from([0, 3]), ...markers]));
    expect((await readAiff(aiff({ before: [mark, inst] }))).hints).toEqual({
      sampler: { startFrame: 10, endFrame: 19 },
    });
  });
});
