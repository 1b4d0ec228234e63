import { expect, test } from "vitest";
import { WavHeaderReader } from "../../../core/audio/wav-header-reader.ts";
import { chunk, format, join, wav } from "../../../fixtures/wav-bytes.ts";
import { accepted } from "./judge.ts";

const plain = chunk("fmt ", format());
const data = chunk("data", new Uint8Array(48));

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
