import { type BigIntStats, closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";

/**
 * A file that SQLite has open too, to compare with what is at its path. Dispose it after SQLite has closed the
 * file: closing it drops all locks that this process has on it.
 */
export class WatchedFile implements Disposable {
  readonly path: string;
  readonly #handle: number;
  readonly #device: bigint;
  readonly #inode: bigint;

  constructor(path: string) {
    this.path = path;
    this.#handle = openSync(path, "r");
    const { dev, ino } = fstatSync(this.#handle, { bigint: true });
    this.#device = dev;
    this.#inode = ino;
  }

  /** What is at the path now; the words say why it is no longer this file. */
  look(): BigIntStats | "removed" | "replaced" {
    const stats = statSync(this.path, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return "removed";
    return stats.dev === this.#device && stats.ino === this.#inode ? stats : "replaced";
  }

  /** Reads from this file, wherever its path leads now. Fewer bytes are there at its end. */
  read(position: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(this.#handle, bytes, 0, length, position));
  }

  [Symbol.dispose](): void {
    closeSync(this.#handle);
  }
}
