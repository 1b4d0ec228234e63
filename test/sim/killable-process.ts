import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

/** The program to run. */
export interface KillableProgram {
  /** A script that prints a line once it serves. */
  readonly script: string;
  /** The script's own. */
  readonly words?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Loaded before the script. */
  readonly preload?: readonly string[];
  /** The program, with its first words, that runs it. Default: none. */
  readonly within?: readonly string[];
  /** Folder that keeps compiled modules, so that the next start is quick. */
  readonly cacheFolder: string;
  /**
   * True if the script calls `whenTold`: then the next process loads its modules while the previous one works, and its
   * stderr is shown instead of kept.
   */
  readonly isWarm?: boolean;
}

export interface Ending {
  /** Exit status; null if a signal ended it. */
  readonly status: number | null;
  readonly stderr: string;
}

/** A program ended before it served. */
export class StartRefused extends Error {
  override readonly name = "StartRefused";
  readonly ending: Ending;

  constructor(ending: Ending) {
    super(`It did not start, and ended with ${ending.status}:\n${ending.stderr}`);
    this.ending = ending;
  }
}

/** One process of the program. */
interface Life {
  readonly child: ChildProcess;
  readonly ended: Promise<Ending>;
  stderr: string;
}

/** A program that is killed and started again. */
export class KillableProcess implements AsyncDisposable {
  readonly #program: KillableProgram;
  #spare: Life | undefined;
  #current: Life | undefined;
  #kills = 0;

  constructor(program: KillableProgram) {
    this.#program = program;
    if (program.isWarm === true) this.#spare = this.#spawn();
  }

  /** Number of processes that `kill` ended. */
  get kills(): number {
    return this.#kills;
  }

  get isRunning(): boolean {
    return this.#current !== undefined && this.#current.child.exitCode === null;
  }

  /** The same object as long as the same process runs. */
  get life(): unknown {
    return this.#current;
  }

  /** The process's output on stderr. */
  get stderr(): string {
    return this.#current?.stderr ?? "";
  }

  /** The end of the process. */
  get ended(): Promise<Ending> {
    if (this.#current === undefined) throw new Error("The process doesn't run.");
    return this.#current.ended;
  }

  /** Starts a process and doesn't wait until it serves. */
  begin(): void {
    this.#current = this.#spare ?? this.#spawn();
    if (this.#spare === undefined) return;
    this.#current.child.stdin?.write("start\n");
    this.#spare = this.#spawn();
  }

  /**
   * Starts a process; returns the line that it prints once it serves.
   * @throws {StartRefused} if it ends before that
   */
  async start(): Promise<string> {
    this.begin();
    const { child, ended } = this.#current as Life;
    if (child.stdout === null) throw new Error("The process has no output.");
    const lines = createInterface({ input: child.stdout });
    const refused = ended.then((ending) => Promise.reject(new StartRefused(ending)));
    const [line] = await Promise.race([once(lines, "line"), refused]);
    return String(line);
  }

  /** Ends the process as a service manager does, or with another signal. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<Ending> {
    const { ended } = this;
    this.#current?.child.kill(signal);
    return ended;
  }

  /** Kills the process at once, as `kill -9` does. */
  async kill(): Promise<void> {
    const life = this.#current;
    this.#current = undefined;
    if (life?.child.exitCode === null) this.#kills += 1;
    await end(life);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await end(this.#spare);
  }

  #spawn(): Life {
    const { script, words = [], preload = [], within = [], isWarm = false } = this.#program;
    const loaded = preload.flatMap((path) => ["--import", pathToFileURL(path).href]);
    const [program = "", ...first] = [...within, process.execPath, ...loaded, script, ...words];
    const child = spawn(program, first, {
      stdio: isWarm ? ["pipe", "pipe", "inherit"] : ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: this.#program.cacheFolder,
        ...this.#program.environment,
        NODE_COMPILE_CACHE: this.#program.cacheFolder,
      },
    });
    const { promise: ended, resolve, reject } = Promise.withResolvers<Ending>();
    const life: Life = { child, ended, stderr: "" };
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (life.stderr += text));
    child.once("error", reject);
    child.once("close", (status) => resolve({ status, stderr: life.stderr }));
    return life;
  }
}

async function end(life: Life | undefined): Promise<void> {
  life?.child.kill("SIGKILL");
  await life?.ended;
}
