import { chunk, formatChunk, makeWav, riffOf, type WavShape } from "../sounds.ts";
import { ONLY_WAV, refused, type WavCase } from "./wav-case.ts";

/** Sizes that programs write which can't know the length. */
const PLACEHOLDERS = [0xff_ff_ff_ff, 0x7f_ff_f0_00, 0x7f_ff_ff_ff, 0x80_00_00_00, 2_000_000_000];

const DATA = chunk("data", 200);
const FOREIGN_GUID = formatChunk({ isExtensible: true }).fill(7, 34);

/** WAVs that a relay refuses. */
export const REFUSED_WAVS: readonly WavCase[] = [
  {
    ...refused("not-riff", "WAV_NOT_RIFF", "in name only", Buffer.alloc(200, "MP3 ")),
    spec: ONLY_WAV,
  },
  refused(
    "another-format",
    "WAV_NOT_RIFF",
    "that is another format",
    padded("FORM\0\0\0\xc8AIFFCOMM\0\0\0\x12\0\x01"),
    padded("fLaC\0\0\0\x22\x10\0\x10\0"),
    padded("OggS\0\x02\0\0\0\0\0\0\0\0"),
    padded("\xff\xfb\x90\x64\0\0\0\0"),
    padded("riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\0\0"),
    riffOf([formatChunk(), DATA], { form: "AVI " }),
    tagged(padded("\xff\xfb\x90\x64\0\0\0\0")),
    Buffer.from("R"),
  ),
  refused(
    "lfs-pointer",
    "WAV_LFS_POINTER",
    "that is a Git LFS pointer",
    Buffer.from(
      `version https://git-lfs.github.com/spec/v1\noid sha256:${"5".repeat(64)}\nsize 244\n`,
    ),
  ),
  refused("tag", "WAV_TAG_IN_FRONT", "behind an ID3 tag", tagged(makeWav())),
  refused("rf64", "WAV_RF64", "in RF64", { container: "RF64" }, { container: "BW64" }),
  refused("rifx", "WAV_RIFX", "in RIFX", { container: "RIFX" }),
  refused("mp3-inside", "WAV_COMPRESSED", "with MP3 inside", coded(0x55, 0)),
  refused("adpcm", "WAV_COMPRESSED", "of ADPCM", coded(0x02, 4), coded(0x11, 4)),
  refused("a-law", "WAV_COMPRESSED", "of A-law", coded(0x06, 8)),
  refused("mu-law", "WAV_COMPRESSED", "of mu-law", coded(0x07, 8)),
  refused("gsm", "WAV_COMPRESSED", "of GSM", coded(0x31, 0)),
  refused(
    "another-codec",
    "WAV_COMPRESSED",
    "of another codec",
    ...[0, 0x50, 0xff, 0x161, 0x12_34, 0xf1_ac].map((format) => coded(format, 16)),
  ),
  refused(
    "extensible-codec",
    "WAV_COMPRESSED",
    "of EXTENSIBLE without PCM or float",
    { isExtensible: true, format: 0x55 },
    riffOf([FOREIGN_GUID, DATA]),
  ),
  refused("float64", "WAV_FLOAT_UNSUPPORTED", "of 64-bit float", { format: 3, bits: 64 }),
  refused(
    "float-of-other-bits",
    "WAV_FLOAT_UNSUPPORTED",
    "of 16 or 24-bit float",
    { format: 3, bits: 16 },
    { format: 3, bits: 24 },
    { format: 3, bits: 64, isExtensible: true },
  ),
  refused("20-bit", "WAV_BITS_UNSUPPORTED", "of 20 bits", { bits: 20 }),
  refused(
    "other-bits",
    "WAV_BITS_UNSUPPORTED",
    "of 0, 4, 12 or 64 bits",
    ...[0, 4, 12, 64].map((bits) => ({ bits, dataBytes: 200 })),
  ),
  refused("surround", "WAV_CHANNELS_UNSUPPORTED", "of 6 channels", { channels: 6 }),
  refused(
    "other-channels",
    "WAV_CHANNELS_UNSUPPORTED",
    "of 0, 3, 4 or 65535 channels",
    ...[0, 3, 4, 65_535].map((channels) => ({
      channels,
      blockAlign: (2 * channels) % 65_536,
      dataBytes: 240,
    })),
  ),
  refused("rate-none", "WAV_RATE_UNSUPPORTED", "at 0 Hz", { rateHz: 0 }),
  refused("384-khz", "WAV_RATE_UNSUPPORTED", "at 384 kHz", { rateHz: 384_000 }),
  refused("192001-hz", "WAV_RATE_UNSUPPORTED", "at 192001 Hz", { rateHz: 192_001 }),
  refused("rate-huge", "WAV_RATE_UNSUPPORTED", "at 4294967295 Hz", { rateHz: 0xff_ff_ff_ff }),
  refused(
    "block-align",
    "WAV_BLOCK_ALIGN_WRONG",
    "whose frame size is wrong",
    ...[3, 0, 1, 4].map((blockAlign) => ({ blockAlign })),
    { channels: 2, blockAlign: 2 },
    { bits: 24, blockAlign: 4 },
  ),
  refused(
    "several-problems",
    "WAV_COMPRESSED",
    "of a codec first of all",
    { format: 0x55, channels: 6, bits: 20, rateHz: 0 },
    { format: 0x55, saidDataBytes: 0xff_ff_ff_ff },
  ),
  refused("no-format", "WAV_NO_FORMAT", "without a format", riffOf([]), riffOf([chunk("LIST", 8)])),
  refused(
    "short-format",
    "WAV_FORMAT_BROKEN",
    "whose format chunk is too short",
    { formatBytes: 14 },
    { formatBytes: 0 },
    { isExtensible: true, formatBytes: 16 },
    { isExtensible: true, formatBytes: 38 },
    makeWav().subarray(0, 30),
  ),
  refused(
    "format-last",
    "WAV_FORMAT_AFTER_DATA",
    "whose format comes last",
    riffOf([DATA, formatChunk()]),
  ),
  refused(
    "no-data",
    "WAV_NO_DATA",
    "without audio",
    riffOf([formatChunk()]),
    riffOf([formatChunk(), chunk("LIST", 8)]),
    { between: [chunk("LIST", 8, 100_000)] },
  ),
  refused(
    "no-frames",
    "WAV_NO_DATA",
    "with no frame of audio",
    { frames: 0 },
    { frames: 0, after: [chunk("LIST", 8)] },
    { channels: 2, dataBytes: 3 },
  ),
  refused(
    "streamed",
    "WAV_STREAMED",
    "without a length in its header",
    ...PLACEHOLDERS.map((saidDataBytes) => ({ saidDataBytes })),
    ...PLACEHOLDERS.map((saidDataBytes) => ({ saidDataBytes, saidRiffBytes: saidDataBytes })),
    { saidDataBytes: 1000, saidRiffBytes: 0xff_ff_ff_ff },
    { saidDataBytes: 1000, saidRiffBytes: 0 },
  ),
  refused(
    "streamed-zero",
    "WAV_STREAMED",
    "with length 0 and audio after it",
    { saidDataBytes: 0 },
    { saidDataBytes: 0, saidRiffBytes: 0, fill: 200 },
  ),
  refused("wrong-length", "WAV_LENGTH_WRONG", "whose length is wrong", { saidDataBytes: 300 }),
  refused(
    "one-byte-past-end",
    "WAV_LENGTH_WRONG",
    "whose audio ends one byte past the file",
    { saidDataBytes: 201 },
    { bits: 8, frames: 200, saidDataBytes: 201 },
  ),
  refused(
    "cut-short",
    "WAV_CUT_SHORT",
    "whose end is missing",
    makeWav({ frames: 200 }).subarray(0, 300),
    makeWav({ frames: 200 }).subarray(0, -1),
  ),
];

/** Compressed audio, with the fields that its programs write. */
function coded(format: number, bits: number): WavShape {
  return { format, bits, blockAlign: 1, formatBytes: 18, dataBytes: 200 };
}

/** The first bytes of a file of 200 bytes. */
function padded(first: string): Buffer {
  return Buffer.concat([Buffer.from(first, "latin1"), Buffer.alloc(200)]).subarray(0, 200);
}

/** Puts an empty ID3 tag of 20 bytes in front. */
function tagged(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from("ID3\x04\0\0\0\0\0\x0a"), Buffer.alloc(10), bytes]);
}
