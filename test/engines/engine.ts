import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { engineUser } from "./engine-folder.ts";
import { findProgram } from "./programs.ts";

/** Only for an engine that hangs: a loaded machine is slow. */
const START_MS = 180_000;
const LOOK_MS = 50;
/** Amount of its latest output that is kept for the error. */
const KEPT_CHARACTERS = 8_000;

/** The command of an engine and its surroundings. */
export interface EngineProgram {
  readonly name: string;
  /** The program's name and its words. */
  readonly command: readonly string[];
  readonly folder: string;
  /** Ends it in good order. */
  readonly stopSignal: NodeJS.Signals;
  /** Asks the engine itself; fails unless it serves. */
  isReady(): Promise<void>;
  /** Run it as the user of this process, in this environment. Default: unprivileged, with nothing but PATH. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** File to which all its output is appended. */
  readonly logPath?: string;
}

/**
 * An engine's process in its own folder. It ends when this process ends, however that ends: the kernel sends it a
 * signal. It runs as an unprivileged user if this process is root's.
 */
export class Engine implements AsyncDisposable {
  readonly #program: EngineProgram;
  #child: ChildProcess | undefined;
  #printed = "";

  constructor(program: EngineProgram) {
    this.#program = program;
  }

  get folder(): string {
    return this.#program.folder;
  }

  /** Id of the process that listens; undefined while it is stopped. */
  get pid(): number | undefined {
    return isRunning(this.#child) ? this.#child.pid : undefined;
  }

  /** Its latest output. */
  get printed(): string {
    return this.#printed;
  }

  /**
   * Starts it on the same port and with the same files, and waits until it answers.
   * @throws with what it printed if it ends before
   */
  async start(): Promise<void> {
    if (isRunning(this.#child)) return;
    const child = this.#spawn();
    this.#child = child;
    const end = Date.now() + START_MS;
    for (;;) {
      const trouble = await this.#program.isReady().then(
        () => undefined,
        (error: unknown) => error,
      );
      // Another program that listens at the port isn't this engine.
      if (!isRunning(child)) throw this.#failed("has ended", trouble);
      if (trouble === undefined) return;
      if (Date.now() > end) {
        await this.kill();
        throw this.#failed("doesn't answer", trouble);
      }
      await sleep(LOOK_MS);
    }
  }

  /** Ends it in good order. */
  async stop(): Promise<void> {
    await this.#end(this.#program.stopSignal);
  }

  /** Ends it at once, as `kill -9` does. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** Sends a signal, such as SIGSTOP or SIGCONT. */
  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Ends it and removes its folder. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.signal("SIGCONT");
    await this.stop();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #spawn(): ChildProcess {
    const { command, folder, environment, logPath } = this.#program;
    const [name = "", ...words] = command;
    const user = environment === undefined ? engineUser() : undefined;
    const as =
      user === undefined
        ? []
        : [`--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups", "--no-new-privs"];
    // Not TERM: an engine that shuts down in good order could wait for callers for ever.
    const guard = ["--pdeathsig", "KILL", ...as, "--", findProgram(name)];
    const plain = { PATH: process.env["PATH"], HOME: folder, LC_ALL: "C.UTF-8", TZ: "UTC" };
    const child = spawn(findProgram("setpriv"), [...guard, ...words], {
      cwd: folder,
      env: { ...plain, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.once("error", (error) => (this.#printed += error.message));
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (part: string) => {
        this.#printed = (this.#printed + part).slice(-KEPT_CHARACTERS);
        if (logPath !== undefined) appendFileSync(logPath, part);
      });
    }
    return child;
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (!isRunning(child)) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }

  #failed(how: string, cause: unknown): Error {
    return new Error(`${this.#program.name} ${how}:\n${this.#printed}`, { cause });
  }
}

/** Resolves if somebody listens at a port of 127.0.0.1. */
export async function accepts(port: number): Promise<void> {
  const connection = connect(port, "127.0.0.1");
  await once(connection, "connect");
  connection.destroy();
}

function isRunning(child: ChildProcess | undefined): child is ChildProcess {
  return child?.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/** Starts what `make` makes for a free port; another port if somebody else took it meanwhile. */
export async function startOnFreePorts<Started extends { start(): Promise<void> }>(
  make: () => Promise<Started & AsyncDisposable>,
): Promise<Started & AsyncDisposable> {
  for (let tries = 1; ; tries += 1) {
    const engine = await make();
    try {
      await engine.start();
      return engine;
    } catch (error) {
      await engine[Symbol.asyncDispose]();
      if (tries === 3 || !/in use|cannot bind|EADDRINUSE/i.test(String(error))) throw error;
    }
  }
}
