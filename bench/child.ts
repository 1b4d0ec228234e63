import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { join } from "node:path";
import type { Calls, Reply, Usage } from "./processes/answer-calls.ts";

/** A child process of a bench: runs a file of `bench/processes/` and calls it by messages. */
export class Child<Api extends Calls<Api>> implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;

  /**
   * Starts a process.
   * @param file its name in `bench/processes/`, without the extension
   * @param logPath receives its stderr; default: this process's stderr
   */
  constructor(file: string, logPath?: string) {
    const stderr = logPath === undefined ? "inherit" : openSync(logPath, "a");
    this.#process = fork(join(import.meta.dirname, "processes", `${file}.ts`), [], {
      stdio: ["ignore", "ignore", stderr, "ipc"],
    });
    this.#process.on("message", (reply: Reply) => this.#settle(reply));
    this.#process.on("exit", (code, signal) =>
      this.#fail(new Error(`${file} ended (${code ?? signal}).`)),
    );
    this.#process.on("error", (error) => this.#fail(error));
  }

  /** Calls a function of the process. Rejects with its error, or if the process ends before it answers. */
  call<Name extends keyof Api & string>(
    name: Name,
    argument: Parameters<Api[Name]>[0],
  ): Promise<Awaited<ReturnType<Api[Name]>>> {
    return this.#ask(name, argument) as Promise<Awaited<ReturnType<Api[Name]>>>;
  }

  /** What the process has used so far. */
  usage(): Promise<Usage> {
    return this.#ask("usage", undefined) as Promise<Usage>;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { exitCode, signalCode } = this.#process;
    if (exitCode !== null || signalCode !== null) return;
    const ended = once(this.#process, "exit");
    this.#process.kill();
    await ended;
  }

  #ask(name: string, argument: unknown): Promise<unknown> {
    this.#lastId += 1;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(this.#lastId, waiting);
    // Who waits learns of it. Nobody may wait any more, and then the error that came first is the one to show.
    waiting.promise.catch(() => undefined);
    this.#process.send({ id: this.#lastId, name, argument });
    return waiting.promise;
  }

  #settle(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ("error" in reply) waiting?.reject(new Error(reply.error));
    else waiting?.resolve(reply.result);
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
