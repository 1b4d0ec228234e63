import { chunk, formatChunk, makeWav, riffOf, type WavShape } from "../sounds.ts";
import { ONLY_WAV, taken, type WavCase } from "./wav-case.ts";

const WRONG_BYTE_RATE = formatChunk().fill(7, 16, 20);

/** Every sample format, at rates from the lowest to the highest. */
const FORMATS: readonly WavCase[] = [
  formats("8-bit", "of 8 bits", { bits: 8 }, [8000, 48_000]),
  formats("8-bit-stereo", "of 8 bits in stereo", { bits: 8, channels: 2 }, [1, 44_100]),
  { ...formats("16-bit", "of 16 bits", {}, [1, 8000, 44_100, 48_000, 192_000]), spec: ONLY_WAV },
  formats("16-bit-stereo", "of 16 bits in stereo", { channels: 2 }, [1, 8000, 44_100, 192_000]),
  formats("24-bit", "of 24 bits", { bits: 24 }, [1, 44_100, 192_000]),
  formats("24-bit-stereo", "of 24 bits in stereo", { bits: 24, channels: 2 }, [8000, 48_000]),
  formats("32-bit", "of 32 bits", { bits: 32 }, [8000, 48_000]),
  formats("32-bit-stereo", "of 32 bits in stereo", { bits: 32, channels: 2 }, [1, 44_100, 192_000]),
  formats("float", "of 32-bit float", { format: 3, bits: 32 }, [1, 44_100, 192_000]),
  formats(
    "float-stereo",
    "of 32-bit float in stereo",
    { format: 3, bits: 32, channels: 2 },
    [8000, 48_000],
  ),
];

/** WAVs that a relay takes. */
export const TAKEN_WAVS: readonly WavCase[] = [
  ...FORMATS,
  taken("192-khz", "at 192 kHz", { rateHz: 192_000, fill: 1 }),
  taken("extensible", "written as EXTENSIBLE", ...both({ isExtensible: true, bits: 24 })),
  taken("20-valid-bits", "with 20 valid bits in 24", ...both(valid(20, 24))),
  taken("valid-bits", "with fewer valid bits", valid(12, 16), valid(24, 32), valid(7, 8)),
  taken("extensible-float", "of EXTENSIBLE float", ...both({ ...valid(32, 32), format: 3 })),
  taken("long-format", "whose format chunk is long", { formatBytes: 18 }, { formatBytes: 40 }),
  taken("byte-rate", "whose byte rate is wrong", riffOf([WRONG_BYTE_RATE, chunk("data", 200)])),
  taken("big-chunk", "with 300 kB before its audio", { between: [chunk("LIST", 300_000)] }),
  taken("chunks-before", "with chunks before its format", {
    before: [chunk("bext", 602), chunk("LIST", 26), chunk("JUNK", 28), chunk("none", 0)],
  }),
  taken("big-chunk-before", "with 700 kB before its format", { before: [chunk("JUNK", 700_000)] }),
  taken("odd-chunk", "with a chunk of odd size", { between: [chunk("LIST", 7)] }),
  taken("odd-chunk-before", "with a chunk of odd size in front", { before: [chunk("LIST", 7)] }),
  taken("fact", "of float with a fact chunk", {
    format: 3,
    bits: 32,
    formatBytes: 18,
    between: [chunk("fact", 4)],
  }),
  taken(
    "wrong-riff-size",
    "whose RIFF size is wrong",
    ...[7, 0, 235, 237, 0x7f_ff_ff_ff, 0xff_ff_ff_ff].map((saidRiffBytes) => ({ saidRiffBytes })),
  ),
  taken(
    "odd-data",
    "with an odd number of bytes",
    { bits: 8, frames: 101, after: [chunk("LIST", 8)] },
    // Its audio ends with the file, without padding.
    makeWav({ bits: 8, frames: 101 }).subarray(0, -1),
  ),
  taken(
    "half-frame",
    "with half a frame at its end",
    { channels: 2, dataBytes: 402 },
    { channels: 2, dataBytes: 401 },
    { bits: 24, dataBytes: 301 },
  ),
  taken("one-frame", "of one frame", { frames: 1, channels: 2 }, { frames: 1, bits: 8 }),
  taken(
    "more-after-audio",
    "with more after its audio",
    { after: [chunk("LIST", 26), chunk("id3 ", 9)] },
    { after: [chunk("LIST", 4, 1000)] },
    Buffer.concat([makeWav(), Buffer.alloc(3)]),
    Buffer.concat([makeWav(), Buffer.from("The end.")]),
    Buffer.concat([makeWav(), makeWav({ channels: 6 })]),
  ),
  taken("two-formats", "with a second format", {
    between: [formatChunk({ channels: 6 })],
  }),
  taken("two-audios", "with a second audio", { after: [chunk("data", 20, 0xff_ff_ff_ff)] }),
];

function formats(id: string, words: string, shape: WavShape, ratesHz: readonly number[]): WavCase {
  return { id, words, wavs: ratesHz.map((rateHz) => makeWav({ ...shape, rateHz })) };
}

function both(shape: WavShape): readonly WavShape[] {
  return [shape, { ...shape, channels: 2 }];
}

/** EXTENSIBLE with so many valid bits in a container of `bits`. */
function valid(validBits: number, bits: number): WavShape {
  return { isExtensible: true, bits, validBits };
}
