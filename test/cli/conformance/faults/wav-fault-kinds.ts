import { createHash } from "node:crypto";
import type { Break } from "./breaking-proxy.ts";
import { becomes, FILE, is } from "./tools.ts";

interface Chunk {
  readonly name: string;
  readonly at: number;
  /** The size in its header. */
  readonly size: number;
}

/** The fields of the first `fmt ` chunk; zeros without one. */
interface Format {
  readonly tag: number;
  readonly channels: number;
  readonly rateHz: number;
  readonly bits: number;
  readonly validBits: number;
  /** The tag in the GUID of EXTENSIBLE. */
  readonly subTag: number;
  readonly size: number;
}

/** A WAV, for a relay with a fault. */
interface ReadWav {
  readonly bytes: Buffer;
  readonly chunks: readonly Chunk[];
  readonly format: Format;
}

type Answers = NonNullable<Break["answer"]>;

/** Refuses good files of a kind. */
export function refuse(isOfKind: (wav: ReadWav) => boolean): Answers {
  return (answered, asked) => {
    if (!is(asked, "PUT", FILE) || answered.status !== 200 || !isOfKind(read(asked.body))) return;
    becomes(answered, 422, { error: "Not a supported WAV.", code: "WAV_NOT_RIFF" });
  };
}

/** Takes files of a kind that a good relay refuses with this code. */
export function take(code: string, isOfKind: (wav: ReadWav) => boolean): Answers {
  return (answered, asked) => {
    if (!is(asked, "PUT", FILE) || answered.json?.code !== code) return;
    const wav = read(asked.body);
    if (!isOfKind(wav)) return;
    const sha256 = createHash("sha256").update(wav.bytes).digest("hex");
    const file = decodeURIComponent(asked.path.replace(/.*\//, ""));
    becomes(answered, 200, { file, bytes: wav.bytes.length, sha256 });
  };
}

/** Refuses files of a kind with another code. */
export function recode(
  code: RegExp | string,
  other: string,
  isOfKind: (wav: ReadWav) => boolean,
): Answers {
  return (answered, asked) => {
    const got = String(answered.json?.code);
    const isMeant = typeof code === "string" ? got === code : code.test(got);
    if (is(asked, "PUT", FILE) && isMeant && isOfKind(read(asked.body))) answered.json.code = other;
  };
}

export function isExtensible({ tag }: Format): boolean {
  return tag === 0xff_fe;
}

/** Returns the offset of the first chunk of this name; -1 if there is none. */
export function at(chunks: readonly Chunk[], name: string): number {
  return chunks.find((chunk) => chunk.name === name)?.at ?? -1;
}

/** Returns the size of the audio as its header says; -1 without audio. */
export function sizeOf(chunks: readonly Chunk[]): number {
  return chunks.find(({ name }) => name === "data")?.size ?? -1;
}

function read(bytes: Buffer = Buffer.alloc(0)): ReadWav {
  const chunks: Chunk[] = [];
  for (let offset = 12; offset + 8 <= bytes.length;) {
    const size = bytes.readUInt32LE(offset + 4);
    chunks.push({ name: bytes.toString("latin1", offset, offset + 4), at: offset, size });
    offset += 8 + size + (size % 2);
  }
  const format = chunks.find(({ name }) => name === "fmt ");
  const fields = Buffer.alloc(40);
  if (format !== undefined) bytes.copy(fields, 0, format.at + 8, format.at + 8 + format.size);
  return {
    bytes,
    chunks,
    format: {
      tag: fields.readUInt16LE(0),
      channels: fields.readUInt16LE(2),
      rateHz: fields.readUInt32LE(4),
      bits: fields.readUInt16LE(14),
      validBits: fields.readUInt16LE(18),
      subTag: fields.readUInt16LE(24),
      size: format?.size ?? 0,
    },
  };
}
