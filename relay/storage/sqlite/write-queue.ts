import { once } from "node:events";
import { startOwnThread } from "../../../program/own-files.ts";
import { sentenceOf } from "../../../core/text/sentence-of.ts";
import { StoreLostError, type StoreWrites } from "../../domain/ports.ts";
import { Listeners } from "../listeners.ts";
import type { ChangeArgument, ChangeName, ChangeResult } from "../records/changes.ts";
import {
  restoreError,
  type WriteReply,
  type WriteRequest,
  type WriterData,
  type WriterMessage,
  type WriterOrder,
} from "./writes.ts";

interface Pending {
  readonly askedAt: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The writer as its queue sees it: a thread, or a stand-in for one. */
export interface WriterThread {
  /** Sends a message to the thread, which gets a copy. */
  postMessage(message: WriteRequest | WriterOrder): void;
  on(event: "message", listener: (message: WriterMessage) => void): unknown;
  /** Listens for the error that ends the thread. "exit" follows. */
  on(event: "error", listener: (error: unknown) => void): unknown;
  on(event: "exit", listener: () => void): unknown;
  /** Ends the thread at once, and leaves the database as it is. */
  terminate(): unknown;
}

/** Starts a writer; rejects with the error that kept it from opening the database. */
export type StartWriter = (data: WriterData) => Promise<WriterThread>;

/** Starts the writer in a thread of its own. */
export const startWriterThread: StartWriter = async (data) => {
  const worker = startOwnThread("relay/storage/sqlite/write-worker", data);
  await once(worker, "message");
  return worker;
};

/** The main thread's end of the writer thread: a call resolves when its change is durable. */
export class WriteQueue implements StoreWrites, AsyncDisposable {
  /** Resolves when the thread has ended for any reason; after that nothing can be written. */
  readonly ended: Promise<void>;
  /** Aborts with a `StoreLostError` when nothing can be written any more, for any reason but disposal. */
  readonly broken: AbortSignal;
  readonly #breaking = new AbortController();
  readonly #worker: WriterThread;
  readonly #pending = new Map<number, Pending>();
  readonly #written = new Listeners<[ms: number]>();
  #lastId = 0;
  #failures = 0;
  /** Reason why the queue accepts no more writes. */
  #closed: Error | undefined;

  /** Connects to a writer. @param worker the result of a `StartWriter` */
  constructor(worker: WriterThread) {
    this.#worker = worker;
    this.broken = this.#breaking.signal;
    worker.on("message", (message: WriterMessage) => {
      if (typeof message === "string" || message instanceof Error) return;
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

  /**
   * Calls `listener` with the writer's news: within a second after another process has changed something (`changed`),
   * when a change met a full disk (`full`), and after `finish`.
   */
  on(news: "changed" | "full" | "finished", listener: () => void): void {
    this.#worker.on("message", (message: WriterMessage) => {
      if (message === news) listener();
    });
  }

  /** Number of changes that the disk or the database refused. */
  get failures(): number {
    return this.#failures;
  }

  get waiting(): number {
    return this.#pending.size;
  }

  onWritten(listener: (ms: number) => void): () => void {
    return this.#written.add(listener);
  }

  /** Calls `listener` with errors outside the changes. */
  onTrouble(listener: (error: Error) => void): void {
    this.#worker.on("message", (message: WriterMessage) => {
      if (message instanceof Error) listener(message);
    });
  }

  /**
   * Runs one change, grouped with concurrent ones.
   * @throws {StoreFullError} if the disk has no space for it
   * @throws {StoreBusyError} if another program holds the lock for too long
   * @throws {StoreTroubleError} if the disk fails
   * @throws {StoreLostError} if the database was exchanged or damaged
   */
  do<Name extends ChangeName>(
    name: Name,
    argument: ChangeArgument<Name>,
  ): Promise<ChangeResult<Name>> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    this.#lastId += 1;
    const request: WriteRequest = { id: this.#lastId, name, argument };
    const askedAt = performance.now();
    return new Promise((resolve, reject) => {
      this.#send(request);
      this.#pending.set(request.id, {
        askedAt,
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the worker answers with this name's result
        resolve: resolve as (result: unknown) => void,
        reject,
      });
    });
  }

  /** Ends the thread at once, and leaves the database as it is. */
  break(loss: StoreLostError): void {
    this.#fail(loss);
    void this.#worker.terminate();
  }

  /**
   * Finishes pending changes, and checks whether the database is still the one that it was. If it isn't, the thread has
   * ended when this resolves: until then the reading connection must stay open, because closing it would merge the log.
   */
  async finish(): Promise<void> {
    if (this.#closed !== undefined) return this.ended;
    const finished = new Promise<void>((resolve) => this.on("finished", resolve));
    this.#send("finish");
    await Promise.race([finished, this.ended]);
  }

  /** Finishes pending changes, then closes the database and ends the thread. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed === undefined) {
      this.#closed = new Error("The database is closed.");
      this.#send("close");
    }
    await this.ended;
  }

  #send(message: WriteRequest | WriterOrder): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage(message);
  }

  #settle(reply: WriteReply): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if (!("error" in reply)) pending?.resolve(reply.result);
    else {
      if (reply.trouble !== undefined) this.#failures += 1;
      pending?.reject(restoreError(reply));
    }
    if (pending !== undefined) this.#written.call(performance.now() - pending.askedAt);
  }

  #fail(cause: unknown): void {
    if (this.#closed === undefined) {
      this.#closed = lossOf(cause);
      this.#breaking.abort(this.#closed);
    }
    for (const { reject } of this.#pending.values()) reject(this.#closed);
    this.#pending.clear();
  }
}

/** Returns the reason why the thread ended, with its class, which was lost in the transfer. */
function lossOf(cause: unknown): StoreLostError {
  const isLoss = cause instanceof Error && cause.name === "StoreLostError";
  const why = cause === undefined || isLoss ? "" : ` (${sentenceOf(cause)})`;
  return new StoreLostError(
    isLoss
      ? cause.message
      : `The thread that writes the database has ended${why}. Start the relay again.`,
    { cause },
  );
}
