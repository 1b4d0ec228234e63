import { describe, expect, test } from "vitest";
import { chunk, extensible, format, wav, ascii, join } from "../../../fixtures/wav-bytes.ts";
import { accepted, refusedCode } from "./judge.ts";
import { codecName } from "../../../core/audio/wav-chunks.ts";
import { WavHeaderReader } from "../../../core/audio/wav-header-reader.ts";
import { createRequire } from "node:module";
import type * as wavefile from "wavefile";

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

const plain = chunk("fmt ", format());

describe("irrelevant chunks", () => {
  test("[U4] skips the pad byte of an odd chunk", async () => {
    for (const bytes of [1, 3, 9, 4097]) {
      const odd = chunk("LIST", new Uint8Array(bytes));
      const header = await accepted(wav([odd, plain, odd, data]));
      expect(header.dataOffset).toBe(12 + 24 + 2 * odd.length + 8);
    }
  });

  test("[U4] skips chunks with non-text names", async () => {
    const strange = [chunk("\0\0\0\0", [1]), chunk("\u00ff\u00fe  ", []), chunk("FMT ", [2, 3])];
    expect(await accepted(wav([...strange, plain, ...strange, data]))).toMatchObject({
      frames: 24,
    });
  });

  test("[U4] skips forged cue, smpl and LIST chunks", async () => {
    const forged = ["cue ", "smpl", "LIST", "bext", "fact"].map((id) =>
      chunk(id, new Uint8Array(60).fill(0xff)),
    );
    expect(await accepted(wav([...forged, plain, ...forged, data]))).toMatchObject({ frames: 24 });
  });

  test("[U4] doesn't search for names inside a chunk", async () => {
    const decoy = chunk("JUNK", join(chunk("fmt ", format({ channels: 6 })), chunk("data", [])));
    expect(await accepted(wav([decoy, plain, decoy, data]))).toMatchObject({ channels: 1 });
  });
});

describe("duplicate chunks", () => {
  test("[U4] uses the first format", async () => {
    const second = chunk("fmt ", format({ tag: 0x55, channels: 2, sampleRateHz: 8000 }));
    const header = await accepted(wav([plain, second, data]));
    expect(header).toMatchObject({ channels: 1, sampleRateHz: 44_100 });
    expect(await refusedCode(wav([second, plain, data]))).toBe("WAV_COMPRESSED");
  });

  test("[U4] uses the first audio", async () => {
    const header = await accepted(wav([plain, data, chunk("data", new Uint8Array(4))]));
    expect(header.dataBytes).toBe(48);
  });
});

describe("hostile chunks", () => {
  test("[U4] a LIST past the end of the file hides format and audio", async () => {
    for (const claimed of [0x1000_0000, 0xffff_fffe, 0xffff_ffff]) {
      const endless = chunk("LIST", ascii("INFO"), claimed);
      expect(await refusedCode(wav([endless, plain, data]))).toBe("WAV_NO_FORMAT");
      expect(await refusedCode(wav([plain, endless, data]))).toBe("WAV_NO_DATA");
    }
  });

  test("[U4] a format chunk with a forged size hides the audio", async () => {
    const file = wav([chunk("fmt ", format(), 0xffff_ffff), data]);
    expect(await refusedCode(file)).toBe("WAV_NO_DATA");
  });
});

// The tags of Microsoft's mmreg.h and of RFC 2361, with the names that musicians know.
test.each([
  ["MS ADPCM", [0x2]],
  ["A-law", [0x6]],
  ["mu-law", [0x7]],
  ["IMA ADPCM", [0x11]],
  ["TrueSpeech", [0x22]],
  ["GSM 6.10", [0x31]],
  ["G.721 ADPCM", [0x40]],
  ["MPEG", [0x50]],
  ["MP3", [0x55]],
  ["G.726 ADPCM", [0x64]],
  ["AC-3", [0x92, 0x2000]],
  ["AAC", [0xff, 0x1600, 0x1610, 0xa106]],
  ["WMA", [0x160, 0x161]],
  ["WMA Pro", [0x162]],
  ["WMA Lossless", [0x163]],
  ["ATRAC3", [0x270]],
  ["DTS", [0x2001]],
  ["Ogg Vorbis", [0x566f, 0x674f, 0x6750, 0x6751, 0x676f, 0x6770, 0x6771]],
  ["Opus", [0x704f]],
  ["FLAC", [0xf1ac]],
])("[U4] names %s by each of its format tags", (name, tags) => {
  expect(tags.map(codecName)).toEqual(tags.map(() => name));
});

test("[U4] names a codec, or shows its number if unknown", () => {
  expect(codecName(0x55)).toBe("MP3");
  expect(codecName(0x11)).toBe("IMA ADPCM");
  expect(codecName(0)).toBe("0x0000");
  expect(codecName(0xabcd)).toBe("0xABCD");
});

test("[U4] skips kilobytes before the audio, up to hundreds of them", async () => {
  for (const bytes of [1000, 65_535, 65_536]) {
    const before = chunk("JUNK", new Uint8Array(bytes).fill(0x64));
    expect(await accepted(wav([before, plain, data]))).toMatchObject({ frames: 24 });
    expect(await accepted(wav([plain, before, data]))).toMatchObject({ frames: 24 });
  }
  const before = chunk("JUNK", new Uint8Array(700_001).fill(0x64));
  for (const file of [wav([before, plain, data]), wav([plain, before, data])]) {
    const reader = new WavHeaderReader(file.length, "kick.wav");
    for (let at = 0; at < file.length; at += 4096) reader.push(file.subarray(at, at + 4096));
    expect(reader.end()).toMatchObject({ dataOffset: file.length - 48, frames: 24 });
  }
});

test("[U4] skips thousands of chunks", async () => {
  const many = join(...Array.from({ length: 5000 }, (_, at) => chunk("note", [at % 256])));
  expect(await accepted(wav([many, plain, many, data]))).toMatchObject({ frames: 24 });
});

test("[U4] walks 2 MB of empty chunks to the end", () => {
  const piece = join(...Array.from({ length: 8192 }, () => chunk("JUNK", [])));
  const reader = new WavHeaderReader(12 + 32 * piece.length, "kick.wav");
  reader.push(wav([]));
  for (let pushed = 1; pushed < 32; pushed += 1) reader.push(piece);
  expect(reader.header).toBeUndefined();
  expect(() => reader.push(piece)).toThrow("kick.wav: no format chunk.");
});

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
