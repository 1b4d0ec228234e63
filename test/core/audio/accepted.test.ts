import { describe, expect, test } from "vitest";
import { chunk, extensible, format, wav } from "../../../fixtures/wav-bytes.ts";
import { accepted } from "./judge.ts";

const data = chunk("data", new Uint8Array(48));

describe("formats", () => {
  for (const channels of [1, 2]) {
    for (const bits of [8, 16, 24, 32]) {
      const frames = 48 / ((channels * bits) / 8);
      const read = { encoding: "pcm", channels, bitsPerSample: bits, sampleRateHz: 44_100, frames };

      test(`[U4] accepts ${bits}-bit PCM with ${channels} channels`, async () => {
        const header = await accepted(wav([chunk("fmt ", format({ channels, bits })), data]));
        expect(header).toEqual({ ...read, dataOffset: 44, dataBytes: 48 });
      });

      test(`[U4] accepts EXTENSIBLE ${bits}-bit PCM with ${channels} channels`, async () => {
        const header = await accepted(wav([chunk("fmt ", extensible({ channels, bits })), data]));
        expect(header).toEqual({ ...read, dataOffset: 68, dataBytes: 48 });
      });
    }

    test(`[U4] accepts 32-bit float with ${channels} channels`, async () => {
      const body = format({ tag: 3, channels, bits: 32 });
      const header = await accepted(wav([chunk("fmt ", body), data]));
      expect(header).toMatchObject({ encoding: "float", channels, bitsPerSample: 32 });
    });

    test(`[U4] accepts EXTENSIBLE 32-bit float with ${channels} channels`, async () => {
      const body = extensible({ subTag: 3, channels, bits: 32 });
      const header = await accepted(wav([chunk("fmt ", body), data]));
      expect(header).toMatchObject({ encoding: "float", channels, bitsPerSample: 32 });
    });
  }

  test("[U4] accepts every sample rate from 1 to 192000 Hz", async () => {
    for (const sampleRateHz of [1, 8000, 44_100, 191_999, 192_000]) {
      const header = await accepted(wav([chunk("fmt ", format({ sampleRateHz })), data]));
      expect(header.sampleRateHz).toBe(sampleRateHz);
    }
  });

  test("[U4] accepts EXTENSIBLE with fewer valid bits than its container", async () => {
    const body = extensible({ bits: 32, validBits: 24 });
    const header = await accepted(wav([chunk("fmt ", body), data]));
    expect(header.bitsPerSample).toBe(32);
  });

  test("[U4] accepts a format chunk longer than its fields", async () => {
    for (const extraBytes of [1, 2, 7, 30]) {
      const body = new Uint8Array(16 + extraBytes);
      body.set(format());
      expect(await accepted(wav([chunk("fmt ", body), data]))).toMatchObject({ frames: 24 });
    }
  });
});

describe("the audio", () => {
  const plain = chunk("fmt ", format({ channels: 2 }));

  test("[U4] counts only whole frames", async () => {
    for (const [dataBytes, frames] of [
      [4, 1],
      [7, 1],
      [8, 2],
      [11, 2],
    ] as const) {
      const header = await accepted(wav([plain, chunk("data", new Uint8Array(dataBytes))]));
      expect(header).toMatchObject({ dataBytes, frames });
    }
  });

  test("[U4] accepts odd audio without its pad byte at the end of the file", async () => {
    const padded = wav([plain, chunk("data", new Uint8Array(5))]);
    const header = await accepted(padded.subarray(0, padded.length - 1));
    expect(header).toMatchObject({ dataBytes: 5, frames: 1 });
  });

  test("[U4] ignores everything after the audio", async () => {
    const broken = [chunk("LIST", [], 0xffff_ffff), chunk("smpl", [1, 2, 3], 9), data];
    expect(await accepted(wav([plain, data, ...broken]))).toMatchObject({ dataBytes: 48 });
  });

  test("[U4] ignores the size in the RIFF header", async () => {
    for (const claimed of [0, 1, 0x7fff_f000, 0xffff_ffff]) {
      const file = wav([plain, data]);
      new DataView(file.buffer).setUint32(4, claimed, true);
      expect(await accepted(file)).toMatchObject({ frames: 12 });
    }
  });
});
