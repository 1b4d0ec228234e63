import type {
  AnnouncedBytes,
  ByteRange,
  SoundStore,
  SoundWriter,
  StoredSound,
} from "../../../relay/index.ts";

const KEY = /^[\w-]+\/[\w-]+$/;

/** The bytes that a writer has written so far. */
interface Written {
  readonly pieces: Uint8Array[];
  bytes: number;
  changedAt: number;
}

/** The sounds by key, which all instances of the store share. */
export class MemoryDisk {
  readonly finished: Map<string, Written>;
  readonly unfinished = new Map<string, Written>();

  constructor(finished = new Map<string, Written>()) {
    this.finished = finished;
  }
}

/** Sounds in memory. It can't tell how much room is left. */
export class MemorySounds implements SoundStore, AsyncDisposable {
  readonly #disk: MemoryDisk;

  constructor(disk: MemoryDisk) {
    this.#disk = disk;
  }

  async create(key: string, _announced: AnnouncedBytes): Promise<SoundWriter> {
    const { finished, unfinished } = this.#disk;
    checkKey(key);
    if (finished.has(key) || unfinished.has(key)) throw new Error(`${key} is in use.`);
    const written: Written = { pieces: [], bytes: 0, changedAt: Date.now() };
    unfinished.set(key, written);
    return {
      write: (piece) => {
        written.pieces.push(piece);
        written.bytes += piece.byteLength;
        written.changedAt = Date.now();
      },
      finish: async () => {
        // A sound that was deleted while it was written must not come back.
        if (unfinished.get(key) !== written) throw new Error(`${key} was deleted.`);
        finished.set(key, written);
        unfinished.delete(key);
      },
      discard: async () => void unfinished.delete(key),
    };
  }

  async open(key: string, { start, end }: ByteRange) {
    checkKey(key);
    const sound = this.#disk.finished.get(key);
    return sound && once(Uint8Array.from(Buffer.concat(sound.pieces).subarray(start, end + 1)));
  }

  async sizes(keys: readonly string[]) {
    const sizes = new Map<string, number>();
    for (const key of keys) {
      const sound = this.#disk.finished.get(key);
      if (sound !== undefined) sizes.set(key, sound.bytes);
    }
    return sizes;
  }

  async *list(): AsyncIterable<StoredSound> {
    const { finished, unfinished } = this.#disk;
    for (const [key, { bytes, changedAt }] of [...finished, ...unfinished]) {
      yield { key, bytes, changedAt, isFinished: finished.has(key) };
    }
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

  /** There is nothing to close. */
  async [Symbol.asyncDispose]() {}
}

function checkKey(key: string): void {
  if (!KEY.test(key)) throw new Error(`Not a key of a sound: ${key}`);
}

async function* once(piece: Uint8Array): AsyncIterable<Uint8Array> {
  yield piece;
}
