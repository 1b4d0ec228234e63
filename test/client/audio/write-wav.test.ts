import { expect, test } from "vitest";
import { writeWav } from "../../../client/audio/write-wav.ts";
import { readWavHeaderAt } from "../../../core/audio/read-wav-header-at.ts";

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
