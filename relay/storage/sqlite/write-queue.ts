import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { WriteArgument, WriteName, WriteReply, WriteRequest, WriteResult } from "./writes.ts";

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The main thread's end of the thread that writes: a call resolves when its change is durable. */
export class WriteQueue implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #broken: Error | undefined;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on("message", (replies: readonly WriteReply[]) => {
      for (const reply of replies) this.#settle(reply);
    });
    worker.on("error", (error) => this.#break(error));
    worker.on("exit", () => this.#break(new Error("The database is closed.")));
  }

  /** Starts the thread; rejects with what kept it from opening the database. */
  static async start(folder: string): Promise<WriteQueue> {
    // Sources run as .ts in a checkout and as .js where the package is installed.
    const file = import.meta.url.endsWith(".ts") ? "./write-worker.ts" : "./write-worker.js";
    const worker = new Worker(new URL(file, import.meta.url), { workerData: folder });
    await once(worker, "message");
    return new WriteQueue(worker);
  }

  /** Does one change, together with others that come at the same time. */
  do<Name extends WriteName>(
    name: Name,
    argument: WriteArgument<Name>,
  ): Promise<WriteResult<Name>> {
    if (this.#broken !== undefined) return Promise.reject(this.#broken);
    this.#lastId += 1;
    const request: WriteRequest = { id: this.#lastId, name, argument };
    return new Promise((resolve, reject) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the worker answers with this name's result
      this.#pending.set(request.id, { resolve: resolve as (result: unknown) => void, reject });
      this.#worker.postMessage(request);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    while (this.#pending.size > 0 && this.#broken === undefined) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#broken ??= new Error("The database is closed.");
    await this.#worker.terminate();
  }

  #settle(reply: WriteReply): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if ("error" in reply) pending?.reject(reply.error);
    else pending?.resolve(reply.result);
  }

  #break(error: Error): void {
    this.#broken ??= error;
    for (const { reject } of this.#pending.values()) reject(this.#broken);
    this.#pending.clear();
  }
}
