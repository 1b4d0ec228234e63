import { createHash } from "node:crypto";

/** A file to announce and upload. */
export interface Sound {
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** The properties of a format chunk; those left out make 16-bit PCM, mono, at 44.1 kHz. */
export interface FormatShape {
  /** The format's number: 1 is PCM, 3 is float, anything else a codec. */
  readonly format?: number;
  readonly channels?: number;
  readonly rateHz?: number;
  readonly bits?: number;
  readonly blockAlign?: number;
  /** Set to write it as EXTENSIBLE, with `format` as its sub-format. */
  readonly isExtensible?: boolean;
  /** The valid bits of each sample that an EXTENSIBLE format names. Default: all. */
  readonly validBits?: number;
  /** The chunk's size: what is more is zero, what is less is cut off. */
  readonly formatBytes?: number;
}

/** The properties of a WAV to make; those left out make a valid one with 100 frames. */
export interface WavShape extends FormatShape {
  readonly container?: string;
  readonly frames?: number;
  /** The bytes of audio, in place of `frames`. */
  readonly dataBytes?: number;
  readonly fill?: number;
  /** A wrong size for the `data` chunk's header. */
  readonly saidDataBytes?: number;
  readonly saidRiffBytes?: number;
  /** Chunks before `fmt `, between `fmt ` and `data`, and after `data`. */
  readonly before?: readonly Buffer[];
  readonly between?: readonly Buffer[];
  readonly after?: readonly Buffer[];
}

/** Builds a WAV; by default 100 silent frames of 16-bit mono at 44.1 kHz. */
export function makeWav(shape: WavShape = {}): Buffer {
  const { container, saidRiffBytes, before = [], between = [], after = [] } = shape;
  const { channels = 1, bits = 16, frames = 100, fill = 0 } = shape;
  const { dataBytes = frames * channels * Math.ceil(bits / 8) } = shape;
  const data = chunk("data", Buffer.alloc(dataBytes, fill), shape.saidDataBytes);
  const chunks = [...before, formatChunk(shape), ...between, data, ...after];
  return riffOf(chunks, { container, saidBytes: saidRiffBytes });
}

/** Builds a RIFF file of chunks. */
export function riffOf(
  chunks: readonly Buffer[],
  {
    container = "RIFF",
    form = "WAVE",
    saidBytes,
  }: {
    readonly container?: string | undefined;
    readonly form?: string;
    readonly saidBytes?: number | undefined;
  } = {},
): Buffer {
  const body = Buffer.concat([Buffer.from(form), ...chunks]);
  return Buffer.concat([Buffer.from(container), uint32(saidBytes ?? body.length), body]);
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

/** Builds a `fmt ` chunk. */
export function formatChunk(shape: FormatShape = {}): Buffer {
  const { format = 1, channels = 1, rateHz = 44_100, bits = 16, isExtensible = false } = shape;
  const blockAlign = shape.blockAlign ?? channels * Math.ceil(bits / 8);
  const fields = Buffer.alloc(40);
  fields.writeUInt16LE(isExtensible ? 0xff_fe : format, 0);
  fields.writeUInt16LE(channels, 2);
  fields.writeUInt32LE(rateHz, 4);
  fields.writeUInt32LE((rateHz * blockAlign) % 2 ** 32, 8);
  fields.writeUInt16LE(blockAlign, 12);
  fields.writeUInt16LE(bits, 14);
  if (isExtensible) {
    fields.writeUInt16LE(22, 16);
    fields.writeUInt16LE(shape.validBits ?? bits, 18);
    fields.writeUInt32LE(channels === 2 ? 3 : 4, 20);
    fields.writeUInt16LE(format, 24);
    Buffer.from("000000001000800000aa00389b71", "hex").copy(fields, 26);
  }
  return chunk("fmt ", fields.subarray(0, shape.formatBytes ?? (isExtensible ? 40 : 16)));
}

/**
 * Builds a chunk. RIFF requires padding to an even length.
 * @param content its bytes, or how many
 */
export function chunk(name: string, content: Buffer | number, saidBytes?: number): Buffer {
  const body = typeof content === "number" ? Buffer.alloc(content, 1) : content;
  const padding = Buffer.alloc(body.length % 2);
  return Buffer.concat([Buffer.from(name), uint32(saidBytes ?? body.length), body, padding]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
