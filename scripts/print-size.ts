import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";

/** Says on standard output how large a built text is, and how large it travels. */
export function printSize(path: string, text: string): void {
  const [bytes, compressedBytes] = [Buffer.byteLength(text), gzipSync(text).length];
  process.stdout.write(`${path}: ${bytes} bytes, ${compressedBytes} compressed\n`);
}
