import { createRequire } from "node:module";
import { expect, test } from "vitest";
import type * as wavefile from "wavefile";
import { accepted, refusedCode } from "./judge.ts";

// wavefile is CommonJS in a shape whose names Node can't import; its types describe what require gives.
const { WaveFile } = createRequire(import.meta.url)("wavefile") as typeof wavefile;

/** Samples of 0.1 s at most, in the range of every depth. */
const SAMPLES = Array.from({ length: 441 }, (_, at) => (at * 7) % 100);

function written(
  channels: number,
  depth: string,
  sampleRateHz = 44_100,
  options: object = {},
): InstanceType<typeof WaveFile> {
  const wave = new WaveFile();
  const samples = channels === 1 ? SAMPLES : Array.from({ length: channels }, () => SAMPLES);
  wave.fromScratch(channels, sampleRateHz, depth, samples, options);
  return wave;
}

const depths = { "8": 8, "16": 16, "24": 24, "32": 32, "32f": 32 };

for (const [depth, bits] of Object.entries(depths)) {
  for (const channels of [1, 2]) {
    for (const sampleRateHz of [8000, 44_100, 96_000, 192_000]) {
      test(`[U4] agrees with wavefile on ${depth}, ${channels} ch, ${sampleRateHz} Hz`, async () => {
        const wave = written(channels, depth, sampleRateHz);
        const header = await accepted(wave.toBuffer());
        expect(wave.fmt).toMatchObject({
          audioFormat: header.encoding === "pcm" ? 1 : 3,
          numChannels: header.channels,
          sampleRate: header.sampleRateHz,
          bitsPerSample: header.bitsPerSample,
        });
        expect(wave.data).toMatchObject({ chunkSize: header.dataBytes });
        expect(header).toMatchObject({ channels, sampleRateHz, bitsPerSample: bits, frames: 441 });
      });
    }
  }
}

test("[U4] reads files with wavefile's extra chunks", async () => {
  const wave = written(2, "24");
  wave.setTag("INAM", "Deep kick");
  wave.setTag("IART", "Someone");
  wave.setCuePoint({ position: 3, label: "drop" });
  Object.assign(wave.bext, { chunkId: "bext", chunkSize: 602, description: "a take" });
  const header = await accepted(wave.toBuffer());
  expect(header).toMatchObject({ channels: 2, bitsPerSample: 24, frames: 441 });
  expect(header.dataOffset).toBeGreaterThan(600);
});

test("[U4] refuses wavefile's formats that Live doesn't support", async () => {
  const refused = { "64": "WAV_FLOAT_UNSUPPORTED", "4": "WAV_COMPRESSED", "8a": "WAV_COMPRESSED" };
  for (const [depth, code] of Object.entries(refused)) {
    const wave = written(1, depth === "64" ? depth : "16", 8000);
    if (depth === "4") wave.toIMAADPCM();
    if (depth === "8a") wave.toALaw();
    expect(await refusedCode(wave.toBuffer())).toBe(code);
  }
  expect(await refusedCode(written(4, "16").toBuffer())).toBe("WAV_CHANNELS_UNSUPPORTED");
  const bigEndian = written(1, "16", 44_100, { container: "RIFX" });
  expect(await refusedCode(bigEndian.toBuffer())).toBe("WAV_RIFX");
  const big = written(1, "16", 44_100, { container: "RF64" });
  expect(await refusedCode(big.toBuffer())).toBe("WAV_RF64");
});
