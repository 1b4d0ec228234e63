import type {
  AnnouncedBytes,
  ByteRange,
  ListingSoundStore,
  SoundWriter,
} from "../../relay/index.ts";

const KEY = /^[\w-]+\/[\w-]+$/;

/** What every instance of the store shares: finished sounds, and the keys of those being written. */
export class MemoryDisk {
  readonly finished = new Map<string, Uint8Array>();
  readonly unfinished = new Set<string>();
}

/** Sounds in memory. It has no limit that it knows of, and lists what it holds. */
export class MemorySounds implements ListingSoundStore {
  readonly #disk: MemoryDisk;

  constructor(disk: MemoryDisk) {
    this.#disk = disk;
  }

  async create(key: string, _announced: AnnouncedBytes): Promise<SoundWriter> {
    const { finished, unfinished } = this.#disk;
    checkKey(key);
    if (finished.has(key) || unfinished.has(key)) throw new Error(`${key} is in use.`);
    unfinished.add(key);
    const pieces: Uint8Array[] = [];
    return {
      write: (piece) => void pieces.push(piece),
      finish: async () => {
        // Deleted while it was written: it must not come back.
        if (!unfinished.delete(key)) throw new Error(`${key} was deleted.`);
        finished.set(key, concatenate(pieces));
      },
      discard: async () => void unfinished.delete(key),
    };
  }

  async open(key: string, { start, end }: ByteRange) {
    checkKey(key);
    const bytes = this.#disk.finished.get(key);
    return bytes && once(bytes.slice(start, end + 1));
  }

  async exists(keys: readonly string[]) {
    return new Set(keys.filter((key) => this.#disk.finished.has(key)));
  }

  async delete(keys: readonly string[]) {
    for (const key of keys) {
      this.#disk.finished.delete(key);
      this.#disk.unfinished.delete(key);
    }
    for (const key of keys) checkKey(key);
  }

  async room() {
    return "unknown" as const;
  }

  async *keys() {
    yield* [...this.#disk.finished.keys(), ...this.#disk.unfinished];
  }
}

function checkKey(key: string): void {
  if (!KEY.test(key)) throw new Error(`Not a key of a sound: ${key}`);
}

async function* once(piece: Uint8Array): AsyncIterable<Uint8Array> {
  yield piece;
}

function concatenate(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}
