import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import { aiffToWav, writeWav } from "../../../client/audio/write-wav.ts";
import { readWavHeaderAt } from "../../../core/audio/read-wav-header-at.ts";
import { aiff, type AiffOptions } from "../../core/audio/aiff-bytes.ts";
import { readAudioKind } from "../../../client/audio/read-audio-kind.ts";
import { flacOf } from "./flac-of.ts";

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
  ["16 bits", { audio: hex("12348001") }, "34120180", { bitsPerSample: 16 }],
  ["20 bits", { bits: 20, audio: hex("123450") }, "503412", { bitsPerSample: 24 }],
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

const text = (latin1: string) => Buffer.from(latin1, "latin1");

/** An MP4 with so many bytes of sound before their description, which says 44.1 kHz. */
function mp4(codec: string, soundBytes = 0): Buffer {
  const box = (type: string, body: Buffer): Buffer => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(8 + body.length);
    head.write(type, 4, "latin1");
    return Buffer.concat([head, body]);
  };
  const rate = Buffer.concat([Buffer.alloc(24), Buffer.from([0xac, 0x44, 0, 0])]);
  return Buffer.concat([
    box("ftyp", text("M4A \0\0\0\0")),
    box("mdat", Buffer.alloc(soundBytes)),
    box("moov", box(codec, rate)),
  ]);
}

/** Bytes that follow each other: texts, numbers of zeros, and lists. */
function bytesOf(...parts: readonly (string | number | readonly number[])[]): Buffer {
  return Buffer.concat(
    parts.map((part) => {
      if (typeof part === "string") return text(part);
      return typeof part === "number" ? Buffer.alloc(part) : Buffer.from(part);
    }),
  );
}
const VORBIS = bytesOf("OggS", 24, "\x01vorbis\0\0\0\0\x02", [0x80, 0xbb, 0, 0]);
const AAC_IN_MP4 = bytesOf("\0\0\0\x18ftypM4A mp4a", 24, [0xac, 0x44, 0, 0]);
const TAG = "ID3\x04\0\0\0\0\x01\0";

test.each([
  ["MP3 of 44.1 kHz", bytesOf([0xff, 0xfb, 0x90, 0]), "MP3", 44_100, true],
  ["MP3 of 22.05 kHz", bytesOf([0xff, 0xf3, 0x80, 0]), "MP3", 22_050, true],
  ["MP3 behind a tag", bytesOf(TAG, 128, [0xff, 0xfb, 0x94, 0]), "MP3", 48_000, true],
  ["bare AAC", bytesOf([0xff, 0xf1, 0x4c, 0x80]), "AAC", 48_000, true],
  ["AAC in MP4", AAC_IN_MP4, "AAC", 44_100, true],
  ["AAC in MP4, described behind megabytes of sound", mp4("mp4a", 5_000_000), "AAC", 44_100, true],
  ["Opus in MP4", mp4("Opus"), "Opus", 44_100, false],
  ["Apple Lossless", mp4("alac"), "Apple Lossless", 44_100, false],
  ["FLAC", flacOf(new Int16Array(10), 32_000), "FLAC", 32_000, false],
  ["Ogg Vorbis", VORBIS, "Ogg Vorbis", 48_000, false],
  ["Opus", bytesOf("OggS", 24, "OpusHead"), "Opus", 48_000, false],
])(
  "[G7] detects %s by its first bytes, with its own sample rate",
  (_, bytes, name, sampleRateHz, isPadded) => {
    const known = { isVideo: false, hasSound: true };
    expect(readAudioKind(bytes)).toEqual({ name, sampleRateHz, isPadded, ...known });
  },
);

/** The description of a track in an MP4 or QuickTime file. */
const track = (type: string): string => `hdlr\0\0\0\0mhlr${type}`;
const WEBM = [0x1a, 0x45, 0xdf, 0xa3];

test.each([
  ["MP4", bytesOf("\0\0\0\x18ftypmp42", track("vide"), track("soun"), "mp4a", 24, [0xac, 0x44])],
  ["QuickTime", bytesOf("\0\0\0\x14ftypqt  ", track("soun"), "sowt", track("vide"))],
  ["WebM", bytesOf(WEBM, "V_VP9", 8, "A_OPUS")],
])("[G25] knows a video with sound: %s", (_, bytes) => {
  expect(readAudioKind(bytes)).toMatchObject({ isVideo: true, hasSound: true });
});

test.each([
  ["MP4", bytesOf("\0\0\0\x18ftypmp42", track("vide"))],
  ["WebM", bytesOf(WEBM, "V_VP8")],
])("[G25] knows a video without sound: %s", (_, bytes) => {
  expect(readAudioKind(bytes)).toMatchObject({ isVideo: true, hasSound: false });
});

test("[G7] survives unknown and truncated files", () => {
  expect(readAudioKind(Buffer.alloc(0))).toBeUndefined();
  expect(readAudioKind(text("<!doctype html>"))).toBeUndefined();
  for (const start of ["fLaC", "OggS", "\0\0\0\0ftyp", "OggS\x01vorbis"]) {
    expect(readAudioKind(text(start))?.sampleRateHz).toBeNull();
  }
});
