import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";

/** Prints a built text's size and its compressed size to standard output. */
export function printSize(path: string, text: string): void {
  const [bytes, compressedBytes] = [Buffer.byteLength(text), gzipSync(text).length];
  process.stdout.write(`${path}: ${bytes} bytes, ${compressedBytes} compressed\n`);
}
