import { startOwnThread } from "../../../program/own-files.ts";
import type { Removal } from "./removal-worker.ts";

/** Number of sounds from which a thread is worth its start. */
const MANY = 250;
/** The thread ends after so long without a sound: it holds some megabytes. */
const IDLE_MS = 120_000;

/**
 * One thread for files and one for folders: the system removes the folders of one folder one after the other, and some
 * disks take as long for one as for ten files.
 */
const threads = new Map<Removal["what"], RemovalThread>();

/**
 * Deletes many sounds in a thread of their own. Single calls would take this thread as long as they take the system, and
 * keep uploads from the threads for files. Never fails: returns the keys that are left to single calls, because there are
 * few, or one of their calls failed, or the thread ended.
 */
export async function removeMany(removal: Removal): Promise<readonly string[]> {
  if (removal.keys.length < MANY) return removal.keys;
  const known = threads.get(removal.what);
  const thread = known === undefined || known.hasEnded ? new RemovalThread() : known;
  threads.set(removal.what, thread);
  return thread.remove(removal);
}

interface Asked {
  readonly keys: readonly string[];
  readonly answer: (left: readonly string[]) => void;
}

/** A thread that answers in order. */
class RemovalThread {
  readonly #worker = startOwnThread("relay/storage/disk/removal-worker", null);
  readonly #asked: Asked[] = [];
  readonly #idle = setTimeout(() => this.#endIfIdle(), IDLE_MS);
  hasEnded = false;

  constructor() {
    this.#idle.unref();
    this.#worker.on("message", (left: readonly string[]) => {
      this.#asked.shift()?.answer(left);
      if (this.#asked.length === 0) this.#worker.unref();
    });
    // "exit" follows.
    this.#worker.on("error", () => undefined);
    this.#worker.on("exit", () => this.#end());
  }

  remove(removal: Removal): Promise<readonly string[]> {
    this.#idle.refresh();
    // The process lives at least until the answer.
    this.#worker.ref();
    const { promise, resolve: answer } = Promise.withResolvers<readonly string[]>();
    this.#asked.push({ keys: removal.keys, answer });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage(removal);
    return promise;
  }

  #endIfIdle(): void {
    if (this.#asked.length > 0) {
      this.#idle.refresh();
      return;
    }
    this.hasEnded = true;
    void this.#worker.terminate();
  }

  #end(): void {
    this.hasEnded = true;
    clearTimeout(this.#idle);
    for (const { keys, answer } of this.#asked.splice(0)) answer(keys);
  }
}
