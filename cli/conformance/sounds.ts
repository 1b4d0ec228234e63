import { createHash } from "node:crypto";

/** A file to announce and upload. */
export interface Sound {
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** The properties of a WAV to make; those left out make a valid one: 100 frames, 16 bits, mono, 44.1 kHz. */
export interface WavShape {
  readonly container?: string;
  /** The format's number: 1 is PCM, 3 is float, anything else a codec. */
  readonly format?: number;
  readonly channels?: number;
  readonly rateHz?: number;
  readonly bits?: number;
  readonly blockAlign?: number;
  /** Set to write it as EXTENSIBLE, with `format` as its sub-format. */
  readonly isExtensible?: boolean;
  readonly frames?: number;
  readonly fill?: number;
  /** A wrong size for the `data` chunk's header. */
  readonly saidDataBytes?: number;
  readonly saidRiffBytes?: number;
  /** The size of an extra chunk between `fmt ` and `data`. */
  readonly chunkBytes?: number;
  readonly order?: readonly ("fmt " | "data")[];
}

/** Builds a WAV; by default 100 silent frames of 16-bit mono at 44.1 kHz. */
export function makeWav(shape: WavShape = {}): Buffer {
  const { container = "RIFF", order = ["fmt ", "data"], chunkBytes, saidDataBytes } = shape;
  const { channels = 1, bits = 16, frames = 100, fill = 0 } = shape;
  const audio = Buffer.alloc(frames * channels * Math.ceil(bits / 8), fill);
  const parts = {
    "fmt ": chunk("fmt ", formatOf(shape)),
    data: chunk("data", audio, saidDataBytes),
  };
  const between = chunkBytes === undefined ? [] : [chunk("LIST", Buffer.alloc(chunkBytes, 1))];
  const body = Buffer.concat([
    Buffer.from("WAVE"),
    ...order.slice(0, 1).map((name) => parts[name]),
    ...between,
    ...order.slice(1).map((name) => parts[name]),
  ]);
  return Buffer.concat([Buffer.from(container), uint32(shape.saidRiffBytes ?? body.length), body]);
}

/** The entry of `items` that announces a sound. @param more overrides its properties */
export function itemOf({ file, bytes }: Sound, more: object = {}): object {
  return { file, bytes: bytes.byteLength, sha256: digestOf(bytes), ...more };
}

/** A manifest that announces these sounds. @param more overrides its properties */
export function manifestOf(sounds: readonly Sound[], more: object = {}): object {
  return { schema: "app2host/1", items: sounds.map((sound) => itemOf(sound)), ...more };
}

/** Returns the SHA-256 in lower-case hex. */
export function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Makes small valid WAVs with different bytes. */
export function smallSounds(...files: readonly string[]): readonly Sound[] {
  return files.map((file, at) => ({ file, bytes: makeWav({ fill: at + 1 }) }));
}

function formatOf(shape: WavShape): Buffer {
  const { format = 1, channels = 1, rateHz = 44_100, bits = 16, isExtensible = false } = shape;
  const blockAlign = shape.blockAlign ?? channels * Math.ceil(bits / 8);
  const fields = Buffer.alloc(16);
  fields.writeUInt16LE(isExtensible ? 0xff_fe : format, 0);
  fields.writeUInt16LE(channels, 2);
  fields.writeUInt32LE(rateHz, 4);
  fields.writeUInt32LE(rateHz * blockAlign, 8);
  fields.writeUInt16LE(blockAlign, 12);
  fields.writeUInt16LE(bits, 14);
  if (!isExtensible) return fields;
  const extension = Buffer.alloc(24);
  extension.writeUInt16LE(22, 0);
  extension.writeUInt16LE(bits, 2);
  extension.writeUInt32LE(channels === 2 ? 3 : 4, 4);
  extension.writeUInt16LE(format, 8);
  Buffer.from("000000001000800000aa00389b71", "hex").copy(extension, 10);
  return Buffer.concat([fields, extension]);
}

/** Builds a chunk. RIFF requires padding to an even length. */
function chunk(name: string, content: Buffer, saidBytes = content.length): Buffer {
  const padding = Buffer.alloc(content.length % 2);
  return Buffer.concat([Buffer.from(name), uint32(saidBytes), content, padding]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
