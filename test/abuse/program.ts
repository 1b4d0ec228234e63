import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import type { Calls, Reply, Usage } from "../../bench/processes/answer-calls.ts";

/** How a process is started. */
export interface ProcessOptions {
  /** Its file in `test/abuse/processes/`, without the extension. */
  readonly file: string;
  /** The only processor core that it may use. Only where `taskset` exists. */
  readonly core?: number | undefined;
  /** The most files and sockets that it may have open. Only where `sh` has `ulimit`. */
  readonly descriptors?: number | undefined;
  /** Receives what it logs; default: nothing does. */
  readonly logPath?: string | undefined;
}

/** A process that is called by messages. */
export class Program<Api extends Calls<Api>> implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;

  constructor({ file, core, descriptors, logPath }: ProcessOptions) {
    const script = join(import.meta.dirname, "processes", `${file}.ts`);
    const pinned = core === undefined ? [] : ["taskset", "-c", String(core)];
    const limited = descriptors === undefined ? "" : `ulimit -n ${descriptors}; `;
    const command = [...pinned, process.execPath, script];
    const log = logPath === undefined ? undefined : openSync(logPath, "a");
    this.#process = spawn("sh", ["-c", `${limited}exec "$@"`, "sh", ...command], {
      stdio: ["ignore", log ?? "ignore", log ?? "inherit", "ipc"],
    });
    if (log !== undefined) closeSync(log);
    this.#process.on("message", (reply: Reply) => this.#settle(reply));
    this.#process.on("exit", (code) => this.#fail(new Error(`${file} ended (${code}).`)));
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
    this.#process.kill("SIGKILL");
    await ended;
  }

  #ask(name: string, argument: unknown): Promise<unknown> {
    this.#lastId += 1;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(this.#lastId, waiting);
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
