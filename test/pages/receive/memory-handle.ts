import type { SyncHandle } from "../../../pages/receive/importer/download/part-file.ts";

/** A private file in memory. */
export class MemoryHandle implements SyncHandle {
  bytes: Buffer = Buffer.alloc(0);
  /** The most bytes for which there is room. */
  roomBytes = Infinity;

  read(buffer: Uint8Array, { at }: { readonly at: number }): number {
    const found = this.bytes.subarray(at, at + buffer.byteLength);
    buffer.set(found);
    return found.byteLength;
  }

  write(buffer: Uint8Array, { at }: { readonly at: number }): number {
    if (this.bytes.byteLength < at + buffer.byteLength) this.truncate(at + buffer.byteLength);
    this.bytes.set(buffer, at);
    return buffer.byteLength;
  }

  truncate(size: number): void {
    if (size > this.roomBytes) throw new DOMException("No room.", "QuotaExceededError");
    const before = this.bytes;
    this.bytes = Buffer.alloc(size);
    before.copy(this.bytes);
  }

  getSize(): number {
    return this.bytes.byteLength;
  }

  flush(): void {}

  close(): void {}
}
