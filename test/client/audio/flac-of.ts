import { Buffer } from "node:buffer";

const BLOCK = 4096;

/** A mono FLAC of 16-bit samples, not compressed at all; rates of whole kHz only. */
export function flacOf(samples: Int16Array, sampleRateHz: number): Buffer {
  const info = Buffer.alloc(34);
  info.writeUInt16BE(BLOCK, 0);
  info.writeUInt16BE(BLOCK, 2);
  // 20 bits of rate, 3 of channels less one, 5 of bits less one, 36 of samples.
  const packed = (BigInt(sampleRateHz) << 44n) | (15n << 36n) | BigInt(samples.length);
  info.writeBigUInt64BE(packed, 10);
  const frames: Buffer[] = [];
  for (let at = 0; at < samples.length; at += BLOCK) {
    frames.push(frameOf(samples.subarray(at, at + BLOCK), frames.length, sampleRateHz));
  }
  return Buffer.concat([Buffer.from("fLaC"), Buffer.from([0x80, 0, 0, 34]), info, ...frames]);
}

function frameOf(samples: Int16Array, number: number, sampleRateHz: number): Buffer {
  // Block size in 16 bits, rate in kHz in 8, mono, 16 bits; frame numbers below 128 are one byte.
  const head = Buffer.from([0xff, 0xf8, 0x7c, 0x08, number, 0, 0, sampleRateHz / 1000]);
  head.writeUInt16BE(samples.length - 1, 5);
  const body = Buffer.alloc(1 + samples.length * 2);
  body[0] = 0x02;
  for (const [index, sample] of samples.entries()) body.writeInt16BE(sample, 1 + index * 2);
  const checked = Buffer.concat([head, Buffer.from([crc(head, 8, 0x07)]), body]);
  const end = Buffer.alloc(2);
  end.writeUInt16BE(crc(checked, 16, 0x8005));
  return Buffer.concat([checked, end]);
}

function crc(bytes: Buffer, width: 8 | 16, polynomial: number): number {
  const top = 2 ** (width - 1);
  const mask = 2 ** width - 1;
  let value = 0;
  for (const byte of bytes) {
    value ^= byte << (width - 8);
    for (let bit = 0; bit < 8; bit += 1) {
      value = ((value & top) === 0 ? value << 1 : (value << 1) ^ polynomial) & mask;
    }
  }
  return value;
}
