import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import { readAudioKind } from "../../../client/audio/read-audio-kind.ts";
import { flacOf } from "./flac-of.ts";

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
    expect(readAudioKind(bytes)).toEqual({ name, sampleRateHz, isPadded });
  },
);

test("[G7] survives unknown and truncated files", () => {
  expect(readAudioKind(Buffer.alloc(0))).toBeUndefined();
  expect(readAudioKind(text("<!doctype html>"))).toBeUndefined();
  for (const start of ["fLaC", "OggS", "\0\0\0\0ftyp", "OggS\x01vorbis"]) {
    expect(readAudioKind(text(start))?.sampleRateHz).toBeNull();
  }
});
