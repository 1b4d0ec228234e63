import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { startOwnThread } from "../../../program/own-files.ts";
import { StoreFullError } from "../../domain/ports.ts";
import type {
  WriteArgument,
  WriteName,
  WriteReply,
  WriteRequest,
  WriteResult,
  WriterMessage,
} from "./writes.ts";

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Starts the writer thread; rejects with the error that kept it from opening the database. */
export async function startWriter(folder: string): Promise<Worker> {
  const worker = startOwnThread("relay/storage/sqlite/write-worker", folder);
  await once(worker, "message");
  return worker;
}

/** The main thread's end of the writer thread: a call resolves when its change is durable. */
export class WriteQueue implements AsyncDisposable {
  /** Resolves when the thread has ended for any reason; after that nothing can be written. */
  readonly ended: Promise<void>;
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  /** Why it accepts no more writes. */
  #closed: Error | undefined;

  /** @param worker the result of `startWriter` */
  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on("message", (message: WriterMessage) => {
      if (typeof message === "string") return;
      for (const reply of message) this.#settle(reply);
    });
    worker.on("error", (error) => this.#fail(error));
    this.ended = new Promise((resolve) => {
      worker.on("exit", () => {
        this.#fail(undefined);
        resolve();
      });
    });
  }

  /** Calls `listener` within a second after another process has changed something. */
  onChangedElsewhere(listener: () => void): void {
    this.#worker.on("message", (message: WriterMessage) => {
      if (message === "changed") listener();
    });
  }

  /**
   * Runs one change, grouped with concurrent ones.
   * @throws {StoreFullError} if the disk has no space for it
   */
  do<Name extends WriteName>(
    name: Name,
    argument: WriteArgument<Name>,
  ): Promise<WriteResult<Name>> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    this.#lastId += 1;
    const request: WriteRequest = { id: this.#lastId, name, argument };
    return new Promise((resolve, reject) => {
      this.#send(request);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the worker answers with this name's result
      this.#pending.set(request.id, { resolve: resolve as (result: unknown) => void, reject });
    });
  }

  /** Finishes pending changes, then closes the database and ends the thread. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed === undefined) {
      this.#closed = new Error("The database is closed.");
      this.#send("close");
    }
    await this.ended;
  }

  #send(message: WriteRequest | "close"): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage(message);
  }

  #settle(reply: WriteReply): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if (!("error" in reply)) pending?.resolve(reply.result);
    else pending?.reject(reply.isDiskFull ? diskFull(reply.error) : reply.error);
  }

  #fail(cause: unknown): void {
    this.#closed ??= new Error("The thread that writes the database has ended.", { cause });
    for (const { reject } of this.#pending.values()) reject(this.#closed);
    this.#pending.clear();
  }
}

function diskFull(cause: unknown): Error {
  return new StoreFullError("The disk of the database is full.", { cause });
}
