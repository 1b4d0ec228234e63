// The memory through which one thread hands bytes to another: a ring of slots, filled by one and emptied by the other.
// Handing a buffer over costs more than hashing it; a copy into memory that both share costs a tenth of the hash.

/** Bytes of a slot: what Node reads from a socket at once. */
const SLOT_BYTES = 64 * 1024;
/** A power of two, so that the counters may wrap. */
const SLOTS = 64;
/** The reader is woken after so many bytes: waking it for each piece would cost as much as hashing the piece. */
const WAKE_AFTER_BYTES = 1024 * 1024;

// The control words: two counters, and two words for each slot.
const FILLED = 0;
const EMPTIED = 1;
const FIRST_SLOT = 2;

/** The request of a slot: to hash its bytes, to finish a hash, or to forget one that nobody wants any more. */
export type SlotKind = "bytes" | "end" | "drop";

/** In place of a number of bytes. */
const CODES = { end: -1, drop: -2 } as const;

/** A slot as its reader sees it. `bytes` are valid only until the reader goes on. */
export interface Slot {
  readonly id: number;
  readonly kind: SlotKind;
  readonly bytes: Uint8Array;
}

export class SharedRing {
  readonly memory: SharedArrayBuffer;
  readonly #control: Int32Array;
  readonly #dataStart: number;
  #sinceWake = 0;

  /** @param memory that of the other thread's ring */
  constructor(memory?: SharedArrayBuffer) {
    const words = FIRST_SLOT + 2 * SLOTS;
    this.#dataStart = words * Int32Array.BYTES_PER_ELEMENT;
    this.memory = memory ?? new SharedArrayBuffer(this.#dataStart + SLOTS * SLOT_BYTES);
    this.#control = new Int32Array(this.memory, 0, words);
  }

  /** Number of slots that the writer can fill now. */
  get freeSlots(): number {
    return SLOTS - ((this.#load(FILLED) - this.#load(EMPTIED)) | 0);
  }

  get isHalfFree(): boolean {
    return this.freeSlots >= SLOTS / 2;
  }

  /** Writer: copies a piece from `start` on into a free slot, as far as it fits. Returns the number of bytes. */
  putBytes(id: number, piece: Uint8Array, start: number): number {
    const length = Math.min(SLOT_BYTES, piece.byteLength - start);
    const part = length === piece.byteLength ? piece : piece.subarray(start, start + length);
    const at = this.#dataStart + this.#slotOf(FILLED) * SLOT_BYTES;
    new Uint8Array(this.memory, at, length).set(part);
    this.#put(id, length);
    this.#sinceWake += length;
    if (this.#sinceWake >= WAKE_AFTER_BYTES || !this.isHalfFree) this.#wakeReader();
    return length;
  }

  /** Writer: asks for the end of a hash in a free slot. */
  putEnd(id: number, kind: "end" | "drop"): void {
    this.#put(id, CODES[kind]);
    this.#wakeReader();
  }

  /** Writer: resolves once the reader may have emptied slots. */
  async emptied(): Promise<void> {
    const seen = this.#load(EMPTIED);
    if (this.isHalfFree) return;
    await Atomics.waitAsync(this.#control, EMPTIED, seen).value;
  }

  /** Wakes a writer that waits although nobody reads any more. */
  wakeWriter(): void {
    Atomics.notify(this.#control, EMPTIED);
  }

  /** Reader: the filled slots. Blocks the thread until there is one; it is free again once the next is taken. */
  *slots(): Generator<Slot, never> {
    for (;;) {
      const emptied = this.#load(EMPTIED);
      while (this.#load(FILLED) === emptied) Atomics.wait(this.#control, FILLED, emptied);
      yield this.#read(this.#slotOf(EMPTIED));
      Atomics.store(this.#control, EMPTIED, (emptied + 1) | 0);
      if (this.isHalfFree) this.wakeWriter();
    }
  }

  #read(slot: number): Slot {
    const id = this.#load(FIRST_SLOT + 2 * slot);
    const length = this.#load(FIRST_SLOT + 2 * slot + 1);
    const start = this.#dataStart + slot * SLOT_BYTES;
    const bytes = new Uint8Array(this.memory, start, Math.max(0, length));
    const kind = length === CODES.end ? "end" : length === CODES.drop ? "drop" : "bytes";
    return { id, kind, bytes };
  }

  #put(id: number, length: number): void {
    const slot = FIRST_SLOT + 2 * this.#slotOf(FILLED);
    Atomics.store(this.#control, slot, id);
    Atomics.store(this.#control, slot + 1, length);
    Atomics.store(this.#control, FILLED, (this.#load(FILLED) + 1) | 0);
  }

  #wakeReader(): void {
    this.#sinceWake = 0;
    Atomics.notify(this.#control, FILLED);
  }

  #slotOf(counter: typeof FILLED | typeof EMPTIED): number {
    return this.#load(counter) & (SLOTS - 1);
  }

  #load(word: number): number {
    return Atomics.load(this.#control, word);
  }
}
