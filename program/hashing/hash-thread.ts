import type { Worker } from "node:worker_threads";
import { startOwnThread } from "../own-files.ts";
import type { Hashed } from "./hash-worker.ts";
import { SharedRing } from "./shared-ring.ts";

/** The thread ends after so long without a byte: it holds some megabytes. */
const IDLE_MS = 120_000;

let current: HashThread | undefined;

/** Starts a SHA-256 in the thread that hashes for the whole process. */
export function hashInThread(): ThreadHash {
  if (current === undefined || current.hasEnded) current = new HashThread();
  return current.start();
}

/** One thread for all hashes: others need the processor, too. It is faster than Node receives bytes. */
class HashThread {
  readonly #ring = new SharedRing();
  readonly #worker: Worker = startOwnThread("program/hashing/hash-worker", this.#ring.memory);
  readonly #awaited = new Map<number, PromiseWithResolvers<string>>();
  /** The hashes that nobody will finish, as when an upload breaks off: the thread can forget them. */
  readonly #dropped: number[] = [];
  readonly #unfinished = new FinalizationRegistry<number>((id) => this.#dropped.push(id));
  readonly #idle = setTimeout(() => this.#end(new Error("The hash was left alone.")), IDLE_MS);
  #error: Error | undefined;
  #lastId = 0;
  /** Resolves when the slots that are missing now are free. */
  #room: Promise<void> | undefined;

  constructor() {
    this.#idle.unref();
    this.#worker.unref();
    this.#worker.on("message", ({ id, hex }: Hashed) => this.#settle(id, hex));
    this.#worker.on("error", (error: Error) => this.#end(error));
    this.#worker.on("exit", () => this.#end(new Error("The thread that hashes has ended.")));
  }

  get hasEnded(): boolean {
    return this.#error !== undefined;
  }

  start(): ThreadHash {
    while (this.#dropped.length > 0 && this.#ring.freeSlots > 0) {
      this.#ring.putEnd(this.#dropped.pop() ?? 0, "drop");
    }
    const id = (this.#lastId = (this.#lastId + 1) | 0);
    const hash = new ThreadHash(this, id);
    this.#unfinished.register(hash, id, hash);
    return hash;
  }

  update(id: number, piece: Uint8Array): Promise<void> | undefined {
    this.#requireAlive();
    this.#idle.refresh();
    let copied = 0;
    while (copied < piece.byteLength && this.#ring.freeSlots > 0) {
      copied += this.#ring.putBytes(id, piece, copied);
    }
    return copied < piece.byteLength ? this.#updateLater(id, piece.subarray(copied)) : undefined;
  }

  async #updateLater(id: number, rest: Uint8Array): Promise<void> {
    await this.#waitForRoom();
    await this.update(id, rest);
  }

  async finish(hash: ThreadHash, id: number): Promise<string> {
    this.#requireAlive();
    this.#unfinished.unregister(hash);
    // The process lives at least until the answer.
    this.#worker.ref();
    while (this.#ring.freeSlots === 0) await this.#waitForRoom();
    const awaited = Promise.withResolvers<string>();
    this.#awaited.set(id, awaited);
    this.#ring.putEnd(id, "end");
    return awaited.promise;
  }

  #settle(id: number, hex: string): void {
    this.#awaited.get(id)?.resolve(hex);
    this.#awaited.delete(id);
    if (this.#awaited.size === 0) this.#worker.unref();
  }

  /** All that wait share one wait, until half of the ring is free. */
  async #waitForRoom(): Promise<void> {
    this.#room ??= this.#halfFree().finally(() => (this.#room = undefined));
    await this.#room;
  }

  async #halfFree(): Promise<void> {
    while (!this.#ring.isHalfFree) {
      this.#requireAlive();
      await this.#ring.emptied();
    }
  }

  #requireAlive(): void {
    if (this.#error !== undefined) throw this.#error;
  }

  #end(error: Error): void {
    if (this.#error !== undefined) return;
    this.#error = error;
    clearTimeout(this.#idle);
    for (const { reject } of this.#awaited.values()) reject(error);
    this.#awaited.clear();
    this.#ring.wakeWriter();
    void this.#worker.terminate();
  }
}

/** A hash of bytes that arrive piece by piece, in order. */
class ThreadHash {
  readonly #thread: HashThread;
  readonly #id: number;

  constructor(thread: HashThread, id: number) {
    this.#thread = thread;
    this.#id = id;
  }

  /** True once the thread has ended, and with it the hash. */
  get isLost(): boolean {
    return this.#thread.hasEnded;
  }

  /**
   * Takes the next bytes, and has copied them when it returns. Returns a promise only if the thread is behind: then
   * they are copied when it resolves, and the caller waits for it (backpressure). @throws the error that ended the thread
   */
  update(piece: Uint8Array): Promise<void> | undefined {
    return this.#thread.update(this.#id, piece);
  }

  /** Finishes the hash. Resolves with lowercase hex. @throws the error that ended the thread */
  hex(): Promise<string> {
    return this.#thread.finish(this, this.#id);
  }
}
