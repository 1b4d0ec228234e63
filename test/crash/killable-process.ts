import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

/** Which program it is. */
export interface KillableProgram {
  /** A script that loads its modules, calls `whenTold`, and prints a line once it serves. */
  readonly script: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Loaded before the script. */
  readonly preload?: string;
  /** Folder that keeps compiled modules, so that the next start is quick. */
  readonly cacheFolder: string;
}

/** A program that is killed and started again. The next process loads its modules while the previous one works. */
export class KillableProcess implements AsyncDisposable {
  readonly #program: KillableProgram;
  #spare: ChildProcess;
  #current: ChildProcess | undefined;
  #kills = 0;

  constructor(program: KillableProgram) {
    this.#program = program;
    this.#spare = this.#spawn();
  }

  /** How many processes `kill` ended. */
  get kills(): number {
    return this.#kills;
  }

  get isRunning(): boolean {
    return this.#current !== undefined && this.#current.exitCode === null;
  }

  /** The same object as long as the same process runs. */
  get life(): unknown {
    return this.#current;
  }

  /** Starts a process and doesn't wait until it serves. */
  begin(): void {
    this.#current = this.#spare;
    this.#current.stdin?.write("start\n");
    this.#spare = this.#spawn();
  }

  /** Starts a process; returns the line that it prints once it serves. */
  async start(): Promise<string> {
    this.begin();
    const child = this.#current;
    if (child === undefined || child.stdout === null) throw new Error("The process has no output.");
    const line = Promise.withResolvers<string>();
    createInterface({ input: child.stdout }).once("line", line.resolve);
    child.once("exit", (code) => line.reject(new Error(`It did not start: exit ${code}.`)));
    return line.promise;
  }

  /** Kills the process at once, as `kill -9` does. */
  async kill(): Promise<void> {
    const child = this.#current;
    this.#current = undefined;
    if (child?.exitCode === null) this.#kills += 1;
    await end(child);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await end(this.#spare);
  }

  #spawn(): ChildProcess {
    const { script, environment, preload, cacheFolder } = this.#program;
    const loaded = preload === undefined ? [] : ["--import", pathToFileURL(preload).href];
    return spawn(process.execPath, [...loaded, script], {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, ...environment, NODE_COMPILE_CACHE: cacheFolder },
    });
  }
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}
