import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import type { Calls, Reply, Usage } from "./processes/answer-calls.ts";
import type { Probe } from "./processes/probe.ts";

export interface ChildOptions {
  /** The folder of its file. Default: `test/bench/processes/`. */
  readonly folder?: string;
  /** Receives what it logs. Default: this process's stderr. */
  readonly logPath?: string | undefined;
  /** The only processor core that it may use. Only where `taskset` exists. */
  readonly core?: number | undefined;
  /** The most files and sockets that it may have open. Only where `sh` has `ulimit`. */
  readonly descriptors?: number | undefined;
  /** True to count its calls of Node's files and of SQLite. False by default. */
  readonly isCounted?: boolean | undefined;
}

const COUNTING = ["--import", new URL("processes/count-calls.ts", import.meta.url).href];

/** A child process that is called by messages. */
export class Child<Api extends Calls<Api>> implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;

  /** @param file its name without the extension */
  constructor(file: string, options: ChildOptions = {}) {
    const { folder = join(import.meta.dirname, "processes"), logPath, core, descriptors } = options;
    const flags = options.isCounted === true ? COUNTING : [];
    const log = logPath === undefined ? undefined : openSync(logPath, "a");
    const pinned = core === undefined ? [] : ["taskset", "-c", String(core)];
    const plain = [...pinned, process.execPath, ...flags, join(folder, `${file}.ts`)];
    const limit = `ulimit -n ${descriptors}; exec "$@"`;
    const [program = "", ...words] =
      descriptors === undefined ? plain : ["sh", "-c", limit, "sh", ...plain];
    this.#process = spawn(program, words, { stdio: ["ignore", "ignore", log ?? "inherit", "ipc"] });
    if (log !== undefined) closeSync(log);
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

  /** Asks the process about itself. */
  probe<Name extends keyof Probe>(
    name: Name,
    ...argument: Parameters<Probe[Name]>
  ): ReturnType<Probe[Name]> {
    return this.#ask(name, argument[0]) as ReturnType<Probe[Name]>;
  }

  get pid(): number {
    return this.#process.pid ?? NaN;
  }

  /** Reads the process's usage so far. */
  usage(): Promise<Usage> {
    return this.#ask("usage", undefined) as Promise<Usage>;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { exitCode, signalCode } = this.#process;
    if (exitCode !== null || signalCode !== null) return;
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
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
