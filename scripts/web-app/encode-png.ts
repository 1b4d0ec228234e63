import { crc32, deflateSync } from "node:zlib";

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** 8 bits for each of red, green, blue and alpha. */
const DEPTH_AND_COLORS = [8, 6, 0, 0, 0];
/** Each row is stored as its difference from the one above, which is small in a drawing. */
const UP = 2;

/** Encodes a square picture as a PNG. @param pixels red, green, blue and alpha of each pixel, row by row */
export function encodePng(pixels: Uint8Array, sizePixels: number): Uint8Array {
  const rowBytes = sizePixels * 4;
  const rows = Buffer.alloc(sizePixels * (rowBytes + 1));
  for (let row = 0; row < sizePixels; row += 1) {
    const to = row * (rowBytes + 1);
    rows[to] = UP;
    for (let at = 0; at < rowBytes; at += 1) {
      const above = row === 0 ? 0 : (pixels[(row - 1) * rowBytes + at] ?? 0);
      rows[to + 1 + at] = (pixels[row * rowBytes + at] ?? 0) - above;
    }
  }
  const size = Buffer.alloc(8);
  size.writeUInt32BE(sizePixels, 0);
  size.writeUInt32BE(sizePixels, 4);
  return Buffer.concat([
    Buffer.from(SIGNATURE),
    chunk("IHDR", Buffer.concat([size, Buffer.from(DEPTH_AND_COLORS)])),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(name: string, body: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.byteLength);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
