import { expect, test } from "vitest";
import { crc16 } from "../../../core/live-set/crc16.ts";

test("[LS7] the checksum is CRC-16/UMTS: its published check value", () => {
  expect(crc16(new TextEncoder().encode("123456789"))).toBe(0xfee8);
});

test("[LS7] a second of silence has the checksum that Live itself writes, from its first 16,384 bytes", () => {
  const wav = new Uint8Array(96_044);
  const view = new DataView(wav.buffer);
  const text = (at: number, word: string) => wav.set(new TextEncoder().encode(word), at);
  text(0, "RIFF");
  view.setUint32(4, wav.length - 8, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, 48_000, true);
  view.setUint32(28, 96_000, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, "data");
  view.setUint32(40, 96_000, true);
  expect(crc16(wav)).toBe(61_051);
  wav[16_384] = 1;
  expect(crc16(wav)).toBe(61_051);
  wav[16_383] = 1;
  expect(crc16(wav)).not.toBe(61_051);
});
