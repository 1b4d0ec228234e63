import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { aiffCodecName } from "../../../core/audio/aiff-header.ts";
import { type SampleLayout, toWavSamples } from "../../../core/audio/samples.ts";
import { isAiff } from "../../../core/audio/file-start.ts";
import { readAiffAt } from "../../../core/audio/read-aiff-at.ts";
import { Refusal } from "../../../core/protocol/refusal.ts";
import { aiff, type AiffOptions, basc, chunk, readAiff, sustainLoop } from "./aiff-bytes.ts";
import { readLoopHints } from "../../../core/audio/read-loop-hints.ts";
import { acidBody, samplerBody, withChunk } from "../../pages/send/test-sounds.ts";
import { smallWav } from "../../wav-bytes.ts";

async function refusedWith(bytes: Buffer): Promise<string> {
  return readAiff(bytes).then(
    () => "read",
    (error: unknown) => (error instanceof Refusal ? error.message : String(error)),
  );
}

test.each<[string, AiffOptions, object]>([
  ["8 bits", { bits: 8 }, { samples: "big", sampleBytes: 1 }],
  ["12 bits", { bits: 12 }, { samples: "big", sampleBytes: 2 }],
  ["24 bits", { bits: 24 }, { samples: "big", sampleBytes: 3 }],
  ["32 bits", { bits: 32 }, { samples: "big", sampleBytes: 4 }],
  ["AIFF-C", { codec: "NONE" }, { samples: "big", sampleBytes: 2 }],
  ["twos", { codec: "twos" }, { samples: "big", sampleBytes: 2 }],
  ["sowt", { codec: "sowt" }, { samples: "little", sampleBytes: 2 }],
  ["raw", { codec: "raw ", bits: 8 }, { samples: "unsigned", sampleBytes: 1 }],
  ["fl32", { codec: "fl32", bits: 32 }, { samples: "float", sampleBytes: 4 }],
  ["FL32", { codec: "FL32", bits: 32 }, { samples: "float", sampleBytes: 4 }],
  ["fl64", { codec: "fl64", bits: 64 }, { samples: "double", sampleBytes: 8 }],
])("[G7] reads the header of an AIFF: %s", async (_, options, expected) => {
  const header = await readAiff(
    aiff({ ...options, frames: 100, channels: 2, sampleRateHz: 48_000 }),
  );
  expect(header).toMatchObject({ ...expected, frames: 100, hints: {} });
  expect(header.wav).toMatchObject({ channels: 2, sampleRateHz: 48_000 });
});

test("[G7] finds an AIFF's audio behind an offset, other chunks and odd sizes", async () => {
  const odd = chunk("NAME", Buffer.from("abc"));
  const audio = Buffer.from("0102030405060708", "hex");
  const bytes = aiff({ audio, offset: 6, before: [odd, chunk("ID3 ", Buffer.alloc(9000))] });
  const { dataOffset, frames } = await readAiff(bytes);
  expect(frames).toBe(4);
  expect(bytes.subarray(dataOffset, dataOffset + 8)).toEqual(audio);
});

test.each<[string, Buffer, string]>([
  ["ima4", aiff({ codec: "ima4" }), "its codec is IMA ADPCM. Export it as PCM WAV."],
  ["ulaw", aiff({ codec: "ulaw" }), "its codec is mu-law. Export it as PCM WAV."],
  ["an unknown codec", aiff({ codec: "zzzz" }), "its codec is zzzz. Export it as PCM WAV."],
  ["a codec of Object's", aiff({ codec: "toSt" }), "its codec is toSt. Export it as PCM WAV."],
  ["six channels", aiff({ channels: 6 }), "6 channels. Export it as mono or stereo."],
  ["40 bits", aiff({ bits: 40 }), "40-bit. Export it with 16, 24 or 32 bits."],
  [
    "a high rate",
    aiff({ sampleRateHz: 384e3 }),
    "sample rate 384000 Hz. Export it at 44.1 to 192 kHz.",
  ],
  ["a negative rate", aiff({ sampleRateHz: -44_100 }), "broken format chunk. Export it again."],
  ["no audio", aiff({ frames: 0 }), "contains no audio. Export it again."],
  [
    "little audio",
    aiff({ frames: 9, audio: Buffer.alloc(16) }),
    "the file is incomplete. Export it again.",
  ],
  ["an end in its audio", aiff().subarray(0, -10), "the file is incomplete. Export it again."],
  ["nothing inside", aiff().subarray(0, 12), "no format chunk. Export it again."],
])("[G7] refuses an AIFF with %s, and says why", async (_, bytes, sentence) => {
  expect(await refusedWith(bytes)).toBe(`tone.aif: ${sentence}`);
});

test.each([
  ["ima4", "IMA ADPCM"],
  ["ulaw", "mu-law"],
  ["ULAW", "mu-law"],
  ["alaw", "A-law"],
  ["ALAW", "A-law"],
  ["MAC3", "MACE 3:1"],
  ["MAC6", "MACE 6:1"],
  ["GSM ", "GSM 6.10"],
  ["G722", "G.722"],
  ["G726", "G.726 ADPCM"],
  ["QDMC", "QDesign Music"],
  ["QDM2", "QDesign Music"],
  [" zz ", "zz"],
  ["    ", "unknown"],
])("[G7] the codec “%s” is called %s", (code, name) => {
  expect(aiffCodecName(code)).toBe(name);
});

test.each([
  ["NONE", 16],
  ["twos", 16],
  ["in24", 24],
  ["in32", 32],
  ["FL64", 64],
] as const)("[G7] reads AIFF-C of the kind %s", async (codec, bits) => {
  expect((await readAiff(aiff({ codec, bits }))).sampleBytes).toBe(bits / 8);
});

test("[G7] a file begins like an AIFF or an AIFF-C, or it is neither", () => {
  const starts = ["FORM....AIFF", "FORM....AIFC", "FORM....WAVE", "RIFF....AIFF", "FORM"];
  expect(starts.map((start) => isAiff(Buffer.from(start)))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test.each<[string, SampleLayout, number, string, string]>([
  ["8 bits", "big", 1, "80ff007f", "007f80ff"],
  ["raw", "unsigned", 1, "80ff007f", "80ff007f"],
  ["16 bits", "big", 2, "12348001", "34120180"],
  ["sowt", "little", 2, "34120180", "34120180"],
  ["24 bits", "big", 3, "123456abcdef", "563412efcdab"],
  ["32 bits", "big", 4, "12345678", "78563412"],
  ["fl32", "float", 4, "3f800000", "0000803f"],
  ["fl64", "double", 8, "bff00000000000003ff0000000000000", "000080bf0000803f"],
])("[G7] samples of an AIFF become those of a WAV: %s", (_, samples, sampleBytes, from, to) => {
  const bytes = new Uint8Array(Buffer.from(from, "hex"));
  const became = toWavSamples({ samples, sampleBytes }, bytes);
  expect(Buffer.from(became).toString("hex")).toBe(to);
});

test.each<[SampleLayout, number, number]>([
  ["mu-law", 98_107_392, -32_124],
  ["A-law", 100_139_008, -32_256],
])("[G17] every byte of %s becomes its sample", (samples, weightedSum, lowest) => {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const became = new Int16Array(toWavSamples({ samples, sampleBytes: 1 }, bytes).buffer);
  // The sum that the reference implementation gives.
  expect(became.reduce((sum, sample, byte) => sum + sample * (byte + 1), 0)).toBe(weightedSum);
  expect(Math.min(...became)).toBe(lowest);
});

test("[G7] reads beats of an Apple Loop, and an instrument's loop", async () => {
  const loop = await readAiff(aiff({ frames: 88_200, after: [basc(4)] }));
  expect(loop.hints.acid).toEqual({ isOneShot: false, beats: 4, tempoBpm: 120 });
  const shot = await readAiff(aiff({ frames: 88_200, after: [basc(4, 2)] }));
  expect(shot.hints.acid?.isOneShot).toBe(true);
  const whole = await readAiff(aiff({ frames: 1000, before: sustainLoop([0, 1000]) }));
  expect(whole.hints.sampler).toEqual({ startFrame: 0, endFrame: 999 });
  const missing = await readAiff(aiff({ before: sustainLoop([0, 1000], 1, 7) }));
  expect(missing.hints).toEqual({});
});

/** An AIFF in which some bytes are others, and which may end early. */
const damaged = fc
  .tuple(
    fc.constantFrom(
      aiff({ after: [basc(8)] }),
      aiff({ codec: "sowt", before: sustainLoop([0, 50]), channels: 2 }),
      aiff({ codec: "fl64", bits: 64 }),
    ),
    fc.array(fc.tuple(fc.nat(120), fc.nat(255)), { maxLength: 8 }),
    fc.nat(400),
  )
  .map(([bytes, changes, length]) => {
    const copy = Buffer.from(bytes);
    for (const [at, value] of changes) copy[at % copy.length] = value;
    return copy.subarray(0, length);
  });

test("[G7] damaged AIFFs are read or refused, and never read beyond their end", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        damaged,
        fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      ),
      async (bytes) => {
        let reads = 0;
        const readAt = (offset: number, length: number) => {
          reads += 1;
          if (offset < 0 || length < 0 || offset + length > bytes.length)
            throw new Error("outside");
          return Promise.resolve(bytes.subarray(offset, offset + length));
        };
        try {
          const { dataOffset, frames, sampleBytes, wav } = await readAiffAt(
            readAt,
            bytes.length,
            "x",
          );
          expect(frames).toBeGreaterThan(0);
          expect(dataOffset + frames * sampleBytes * wav.channels).toBeLessThanOrEqual(
            bytes.length,
          );
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
        }
        expect(reads).toBeLessThan(300);
      },
    ),
    { numRuns: 2000 },
  );
});

/** Reads hints and counts the bytes read from the file. */
async function readHints(file: Buffer) {
  let bytesRead = 0;
  const hints = await readLoopHints(async (offset, length) => {
    bytesRead += length;
    return file.subarray(offset, offset + length);
  }, file.length);
  return { hints, bytesRead };
}

test("[G3] finds loop chunks after the audio and after odd-sized chunks", async () => {
  const odd = withChunk(smallWav(), "note", Buffer.alloc(3));
  const file = withChunk(
    withChunk(Buffer.concat([odd, Buffer.alloc(1)]), "acid", acidBody(16, 126)),
    "smpl",
    samplerBody(0, 99),
  );
  expect((await readHints(file)).hints).toEqual({
    acid: { isOneShot: false, beats: 16, tempoBpm: 126 },
    sampler: { startFrame: 0, endFrame: 99 },
  });
});

test("[G3] ignores broken and missing chunks and reads a few dozen bytes of each", async () => {
  expect((await readHints(smallWav({ frames: 100_000 }))).bytesRead).toBeLessThan(200);
  const forged = withChunk(smallWav(), "acid", acidBody(16, 126));
  forged.writeUInt32LE(0xffff_ffff, forged.length - 28);
  expect((await readHints(forged)).hints).toEqual({
    acid: { isOneShot: false, beats: 16, tempoBpm: 126 },
  });
  for (let cut = 1; cut < 60; cut += 1) {
    await expect(readHints(forged.subarray(0, forged.length - cut))).resolves.toBeDefined();
  }
  let many = smallWav();
  for (let chunk = 0; chunk < 300; chunk += 1) many = withChunk(many, "junk", Buffer.alloc(0));
  expect((await readHints(many)).bytesRead).toBeLessThan(256 * 80);
});

test("[G3] reads one-shot from the lowest flag bit of an ACID chunk", async () => {
  const isOneShot = async (flags: number) => {
    const { hints } = await readHints(withChunk(smallWav(), "acid", acidBody(4, 120, flags)));
    return hints.acid?.isOneShot;
  };
  expect(await isOneShot(1)).toBe(true);
  expect(await isOneShot(0b11111)).toBe(true);
  expect(await isOneShot(0b11110)).toBe(false);
});

test("[G3] ignores truncated chunks and a sampler chunk without loops", async () => {
  const hintsOf = async (id: string, body: Buffer) => {
    // Another chunk lies behind, whose bytes are not this one's.
    const file = withChunk(withChunk(smallWav(), id, body), "LIST", Buffer.alloc(80, 1));
    return (await readHints(file)).hints;
  };
  const [acid, sampler] = [acidBody(4, 120), samplerBody(5, 99)];
  expect(await hintsOf("acid", acid)).toHaveProperty("acid.beats", 4);
  expect(await hintsOf("acid", acid.subarray(0, 22))).toEqual({});
  expect(await hintsOf("smpl", sampler)).toEqual({ sampler: { startFrame: 5, endFrame: 99 } });
  expect(await hintsOf("smpl", sampler.subarray(0, 58))).toEqual({});
  const loopless = Buffer.from(sampler);
  loopless.writeUInt32LE(0, 28);
  expect(await hintsOf("smpl", loopless)).toEqual({});
});

test("[G3] reads only the first 256 chunks", async () => {
  const behind = async (chunks: number) => {
    let file = smallWav({ frames: 0 });
    // The format and the audio are the first two.
    for (let chunk = 2; chunk < chunks; chunk += 1) file = withChunk(file, "junk", Buffer.alloc(2));
    return (await readHints(withChunk(file, "acid", acidBody(4, 120)))).hints;
  };
  expect(await behind(255)).toHaveProperty("acid");
  expect(await behind(256)).toEqual({});
});

test("[G3] reads a trailing chunk header of 8 bytes, but not one of 7", async () => {
  const asked: number[] = [];
  const wav = smallWav({ frames: 0 });
  const readAt = (offset: number, length: number): Promise<Buffer> => {
    asked.push(offset);
    return Promise.resolve(wav.subarray(offset, offset + length));
  };
  await readLoopHints(readAt, 44);
  await readLoopHints(readAt, 43);
  // A file shorter than announced.
  expect(await readLoopHints(readAt, 1000)).toEqual({});
  expect(asked).toEqual([12, 36, 12, 12, 36, 44]);
});
