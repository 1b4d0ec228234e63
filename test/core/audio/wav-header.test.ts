import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import {
  fourCc,
  isFourCc,
  wavHeaderBytes,
  type WavFormat,
} from "../../../core/audio/wav-header.ts";

const hexOf = (format: WavFormat, frames: number) =>
  Buffer.from(wavHeaderBytes(format, frames)).toString("hex");
const text = (ascii: string) => Buffer.from(ascii).toString("hex");
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes.toString("hex");
};

test("[G7] a WAV of integers begins with 44 bytes, and an odd size is padded", () => {
  const format = { encoding: "pcm", channels: 1, sampleRateHz: 44_100, bitsPerSample: 24 } as const;
  const rest =
    text("WAVEfmt ") +
    u32(16) +
    "01000100" +
    u32(44_100) +
    u32(3 * 44_100) +
    "03001800" +
    text("data");
  expect(hexOf(format, 1)).toBe(text("RIFF") + u32(36 + 3 + 1) + rest + u32(3));
  expect(hexOf(format, 2)).toBe(text("RIFF") + u32(36 + 6) + rest + u32(6));
});

test("[G7] a WAV of floats has the chunk “fact” with its frames", () => {
  const format = {
    encoding: "float",
    channels: 2,
    sampleRateHz: 48_000,
    bitsPerSample: 32,
  } as const;
  expect(hexOf(format, 5)).toBe(
    text("RIFF") +
      u32(50 + 40) +
      text("WAVEfmt ") +
      u32(18) +
      "03000200" +
      u32(48_000) +
      u32(8 * 48_000) +
      "08002000" +
      "0000" +
      text("fact") +
      u32(4) +
      u32(5) +
      text("data") +
      u32(40),
  );
});

test("[U4] a four-character code is four printable characters", () => {
  expect(fourCc("fmt ")).toBe(0x20_74_6d_66);
  const codes = ["fmt ", "~~~~", "ab\u{7f}d", "ab\u{1f}d", "\u{1f}bcd", "abc\u{7f}"];
  expect(codes.map((code) => isFourCc(fourCc(code)))).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
