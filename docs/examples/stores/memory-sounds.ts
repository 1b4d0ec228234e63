import type {
  AnnouncedBytes,
  ByteRange,
  ListingSoundStore,
  SoundWriter,
} from "../../../relay/index.ts";

const KEY = /^[\w-]+\/[\w-]+$/;

/** The bytes, which all instances of the store share. */
export class MemoryDisk {
  readonly finished: Map<string, Uint8Array>;
  /** Key → what its writer has written so far. */
  readonly unfinished = new Map<string, readonly Uint8Array[]>();

  constructor(finished = new Map<string, Uint8Array>()) {
    this.finished = finished;
  }
}

/** Sounds in memory. It lists what it holds, and can't tell how much room is left. */
export class MemorySounds implements ListingSoundStore, AsyncDisposable {
  readonly #disk: MemoryDisk;

  constructor(disk: MemoryDisk) {
    this.#disk = disk;
  }

  async create(key: string, _announced: AnnouncedBytes): Promise<SoundWriter> {
    const { finished, unfinished } = this.#disk;
    checkKey(key);
    if (finished.has(key) || unfinished.has(key)) throw new Error(`${key} is in use.`);
    const pieces: Uint8Array[] = [];
    unfinished.set(key, pieces);
    return {
      write: (piece) => void pieces.push(piece),
      finish: async () => {
        // A sound that was deleted while it was written must not come back.
        if (unfinished.get(key) !== pieces) throw new Error(`${key} was deleted.`);
        finished.set(key, Buffer.concat(pieces));
        unfinished.delete(key);
      },
      discard: async () => void unfinished.delete(key),
    };
  }

  async open(key: string, { start, end }: ByteRange) {
    checkKey(key);
    const sound = this.#disk.finished.get(key);
    return sound && once(Uint8Array.from(sound.subarray(start, end + 1)));
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
    yield* [...this.#disk.finished.keys(), ...this.#disk.unfinished.keys()];
  }

  /** There is nothing to close. */
  async [Symbol.asyncDispose]() {}
}

function checkKey(key: string): void {
  if (!KEY.test(key)) throw new Error(`Not a key of a sound: ${key}`);
}

async function* once(piece: Uint8Array): AsyncIterable<Uint8Array> {
  yield piece;
}
