import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import { aiffToWav, writeWav } from "../../../client/audio/write-wav.ts";
import { readWavHeaderAt } from "../../../core/audio/read-wav-header-at.ts";
import { aiff, type AiffOptions } from "../../core/audio/aiff-bytes.ts";

test("[G7] writes a WAV of 24 bits at the given rate, with every sample rounded to the nearest value", async () => {
  const full = 8_388_608;
  const left = Float32Array.from([0, 0.5, -0.5, 1, -1, 2, -2, 1 / full, 1.6 / full, -1.4 / full]);
  const right = left.map((sample) => -sample);
  const wav = await writeWav({ channels: [left, right], sampleRateHz: 22_050 });
  const bytes = new Uint8Array(await wav.arrayBuffer());
  const header = await readWavHeaderAt(
    async (offset, length) => bytes.subarray(offset, offset + length),
    bytes.length,
    "new.wav",
  );
  expect(header).toMatchObject({ bitsPerSample: 24, sampleRateHz: 22_050, channels: 2 });
  expect(header.frames).toBe(left.length);
  const sampleAt = (index: number): number => {
    const at = 44 + index * 3;
    const [low = 0, middle = 0, high = 0] = bytes.subarray(at, at + 3);
    return ((low | (middle << 8) | (high << 16)) << 8) >> 8;
  };
  const lefts = Array.from(left, (_, frame) => sampleAt(frame * 2));
  expect(lefts).toEqual([0, full / 2, -full / 2, full - 1, -full, full - 1, -full, 1, 2, -1]);
  expect(sampleAt(3)).toBe(-full / 2);
});

/** Converts an AIFF and reads the WAV's header as the relay does. */
async function converted(options: AiffOptions) {
  const { wav } = await aiffToWav(new Blob([new Uint8Array(aiff(options))]), "tone.aiff");
  const bytes = Buffer.from(await wav.arrayBuffer());
  const readAt = (offset: number, length: number) =>
    Promise.resolve(bytes.subarray(offset, offset + length));
  const header = await readWavHeaderAt(readAt, bytes.length, "tone.wav");
  const audio = bytes.subarray(header.dataOffset, header.dataOffset + header.dataBytes);
  return { header, audio, bytes };
}

const FLOAT = { encoding: "float", bitsPerSample: 32 };
const hex = (text: string) => Buffer.from(text, "hex");

test.each<[string, AiffOptions, string, object]>([
  ["8 bits", { bits: 8, audio: hex("80ff007f") }, "007f80ff", { bitsPerSample: 8 }],
  ["raw", { bits: 8, codec: "raw ", audio: hex("80ff007f") }, "80ff007f", { bitsPerSample: 8 }],
  ["16 bits", { audio: hex("12348001") }, "34120180", { bitsPerSample: 16 }],
  ["sowt", { codec: "sowt", audio: hex("34120180") }, "34120180", { bitsPerSample: 16 }],
  ["24 bits", { bits: 24, audio: hex("123456abcdef") }, "563412efcdab", { bitsPerSample: 24 }],
  ["20 bits", { bits: 20, audio: hex("123450") }, "503412", { bitsPerSample: 24 }],
  ["32 bits", { bits: 32, audio: hex("12345678") }, "78563412", { encoding: "pcm" }],
  ["fl32", { codec: "fl32", bits: 32, audio: hex("3f800000") }, "0000803f", FLOAT],
  ["fl64", { codec: "fl64", bits: 64, audio: hex("bff0000000000000") }, "000080bf", FLOAT],
])("[G7] an AIFF becomes a WAV with the same samples: %s", async (_, options, audio, expected) => {
  const { header, audio: got } = await converted(options);
  expect(header).toMatchObject({ channels: 1, sampleRateHz: 44_100, ...expected });
  expect(got.toString("hex")).toBe(audio);
});

test("[G7] an AIFF of several pieces and an odd number of bytes keeps every sample", async () => {
  const audio = Buffer.from(new Uint8Array(3 * 600_001).map((_, at) => (at * 31) % 251));
  const { header, audio: got, bytes } = await converted({ bits: 24, audio });
  expect(header.frames).toBe(600_001);
  expect(bytes.length % 2).toBe(0);
  for (const frame of [0, 524_287, 524_288, 600_000]) {
    const [a, b, c] = audio.subarray(frame * 3);
    expect([...got.subarray(frame * 3, frame * 3 + 3)]).toEqual([c, b, a]);
  }
});
