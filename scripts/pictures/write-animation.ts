import { Buffer } from "node:buffer";
import { writeFile } from "node:fs/promises";
import { crc32 } from "node:zlib";

/** One picture of an animation. */
export interface Frame {
  readonly png: Buffer;
  readonly milliseconds: number;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Writes PNG pictures of one size and format as one animated PNG that plays again and again
 * (PNG, third edition, section 11.3.4). Viewers without animation show the first frame.
 */
export async function writeAnimation(path: string, frames: readonly Frame[]): Promise<void> {
  let sequence = 0;
  const next = () => uint32(sequence++);
  const animated = frames.flatMap(({ png, milliseconds }, index) => {
    const chunks = readChunks(png);
    const size = chunks[0]?.body.subarray(0, 8) ?? Buffer.alloc(8);
    const delay = Buffer.from([milliseconds >> 8, milliseconds & 0xff, 1000 >> 8, 1000 & 0xff]);
    const control = Buffer.concat([next(), size, Buffer.alloc(8), delay, Buffer.alloc(2)]);
    const data = chunks.filter(({ type }) => type === "IDAT").map(({ body }) => body);
    const picture = data.map((body) =>
      index === 0 ? chunk("IDAT", body) : chunk("fdAT", Buffer.concat([next(), body])),
    );
    return [chunk("fcTL", control), ...picture];
  });
  const header = readChunks(frames[0]?.png ?? SIGNATURE)[0]?.body ?? Buffer.alloc(0);
  const forever = Buffer.concat([uint32(frames.length), uint32(0)]);
  const all = [chunk("IHDR", header), chunk("acTL", forever), ...animated, chunk("IEND")];
  await writeFile(path, Buffer.concat([SIGNATURE, ...all]));
}

function readChunks(png: Buffer): readonly { readonly type: string; readonly body: Buffer }[] {
  const chunks = [];
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    const body = png.subarray(at + 8, at + 8 + length);
    chunks.push({ type: png.toString("latin1", at + 4, at + 8), body });
    at += length + 12;
  }
  return chunks;
}

function chunk(type: string, body: Buffer = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), body]);
  return Buffer.concat([uint32(body.length), named, uint32(crc32(named))]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
