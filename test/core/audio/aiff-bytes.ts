import { Buffer } from "node:buffer";
import { readAiffAt } from "../../../core/audio/read-aiff-at.ts";

export interface AiffOptions {
  /** Four characters make it an AIFF-C; undefined is a plain AIFF. */
  readonly codec?: string | undefined;
  readonly channels?: number;
  readonly bits?: number;
  readonly sampleRateHz?: number;
  readonly frames?: number;
  /** The audio; silence if it is absent. */
  readonly audio?: Buffer;
  /** Bytes between the head of `SSND` and the audio. */
  readonly offset?: number;
  /** More chunks: before the audio, and after it. */
  readonly before?: readonly Buffer[];
  readonly after?: readonly Buffer[];
}

export function chunk(name: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, "latin1");
  head.writeUInt32BE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

/** An 80-bit float. */
export function extended(value: number): Buffer {
  const bytes = Buffer.alloc(10);
  if (value === 0) return bytes;
  const exponent = Math.floor(Math.log2(Math.abs(value)));
  bytes.writeUInt16BE((value < 0 ? 0x8000 : 0) + 16_383 + exponent, 0);
  bytes.writeBigUInt64BE(BigInt(Math.round((Math.abs(value) / 2 ** exponent) * 2 ** 52)) << 11n, 2);
  return bytes;
}

/** An AIFF or AIFF-C; by default 16-bit mono at 44.1 kHz. */
export function aiff(options: AiffOptions = {}): Buffer {
  const { codec, channels = 1, bits = 16, sampleRateHz = 44_100, offset = 0 } = options;
  const sampleBytes = Math.ceil(bits / 8);
  const { frames = (options.audio?.length ?? 200) / sampleBytes / channels } = options;
  const audio = options.audio ?? Buffer.alloc(frames * channels * sampleBytes);
  const numbers = Buffer.alloc(8);
  numbers.writeUInt16BE(channels, 0);
  numbers.writeUInt32BE(frames, 2);
  numbers.writeUInt16BE(bits, 6);
  const kind = codec === undefined ? [] : [Buffer.from(codec, "latin1"), Buffer.from("\x03abc")];
  const sound = Buffer.alloc(8 + offset);
  sound.writeUInt32BE(offset, 0);
  const body = Buffer.concat([
    Buffer.from(codec === undefined ? "AIFF" : "AIFC"),
    ...(options.before ?? []),
    chunk("COMM", Buffer.concat([numbers, extended(sampleRateHz), ...kind])),
    chunk("SSND", Buffer.concat([sound, audio])),
    ...(options.after ?? []),
  ]);
  return chunk("FORM", body);
}

/** An Apple Loops chunk: 1 is a loop. */
export function basc(beats: number, loopType = 1): Buffer {
  const body = Buffer.alloc(84);
  body.writeUInt32BE(1, 0);
  body.writeUInt32BE(beats, 4);
  body.writeUInt16BE(loopType, 16);
  return chunk("basc", body);
}

/** Markers by id, and an instrument whose sustain loop lies between two of them. */
export function sustainLoop(positions: readonly number[], begin = 1, end = 2): readonly Buffer[] {
  const count = Buffer.alloc(2);
  count.writeUInt16BE(positions.length);
  const markers = positions.map((position, index) => {
    const marker = Buffer.alloc(12);
    marker.writeUInt16BE(index + 1, 0);
    marker.writeUInt32BE(position, 2);
    marker.write("\x05begin", 6, "latin1");
    return marker;
  });
  const inst = Buffer.alloc(20);
  inst.writeUInt16BE(1, 8);
  inst.writeUInt16BE(begin, 10);
  inst.writeUInt16BE(end, 12);
  return [chunk("MARK", Buffer.concat([count, ...markers])), chunk("INST", inst)];
}

/** Reads the header of `tone.aif`. @param fileBytes the size that is said of it */
export function readAiff(bytes: Buffer, fileBytes = bytes.length) {
  const readAt = (offset: number, length: number) =>
    Promise.resolve(bytes.subarray(offset, offset + length));
  return readAiffAt(readAt, fileBytes, "tone.aif");
}
