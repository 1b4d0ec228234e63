import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../../cli/run-command.ts";

const PROJECT = join(import.meta.dirname, "..", "..");
const COMMAND = join(PROJECT, "cli", "soundferry.ts");

/** Nothing outlives a test that timed out. */
const CHILD = { stdio: "pipe", timeout: 60_000 } as const;

/** The end of a command. */
export interface Ending {
  /** Exit status; null if a signal ended it. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A soundferry command in its own process. */
export interface RunningCommand {
  readonly stdout: string;
  readonly stderr: string;
  readonly ended: Promise<Ending>;
  /** Resolves once the output so far matches; rejects if the command ends first. */
  until(fits: (printed: { stdout: string; stderr: string }) => boolean): Promise<void>;
  /** Presses Ctrl-C, or sends another signal. */
  interrupt(signal?: NodeJS.Signals): void;
}

/** A test's own machine: no outside settings, and a home folder that is removed afterwards. */
export interface Machine extends AsyncDisposable {
  readonly home: string;
  /** Runs a command to its end in its own process. */
  run(words: readonly string[], environment?: Record<string, string>): Promise<Ending>;
  /** Runs a command of the checkout to its end in this process: cheaper where the process isn't what is tested. */
  runInside(words: readonly string[], environment?: Record<string, string>): Promise<Ending>;
  /** Starts a long-running command; disposing the machine interrupts it. */
  start(words: readonly string[], environment?: Record<string, string>): RunningCommand;
  /** Types a line into its own terminal, in the project's folder; Ctrl-C reaches everything in it. */
  type(line: string): RunningCommand;
}

/** @param command the program and its first words; default: the checkout's command */
export async function makeMachine(
  command: readonly [string, ...string[]] = [process.execPath, COMMAND],
): Promise<Machine> {
  const [program, ...first] = command;
  const home = await mkdtemp(join(tmpdir(), "soundferry-machine-"));
  const running = new Set<RunningCommand>();
  const keep = (started: RunningCommand): RunningCommand => {
    running.add(started);
    void started.ended.then(() => running.delete(started));
    return started;
  };
  const start: Machine["start"] = (words, environment) => {
    const env = { ...ownEnvironment(home), ...environment };
    const child = spawn(program, [...first, ...words], { env, ...CHILD });
    return keep(watch(child, (signal) => child.kill(signal)));
  };
  return {
    home,
    start,
    type: (line) => {
      const options = {
        env: ownEnvironment(home),
        cwd: PROJECT,
        detached: true,
        ...CHILD,
      } as const;
      const child = spawn("bash", ["-c", line], options);
      return keep(watch(child, () => interruptGroup(child.pid)));
    },
    run: async (words, environment) => start(words, environment).ended,
    runInside: (words, environment) =>
      runInside(words, { ...ownEnvironment(home), ...ownFolders(home), ...environment }),
    async [Symbol.asyncDispose]() {
      for (const command of running) command.interrupt();
      await Promise.all([...running].map(({ ended }) => ended));
      await rm(home, { recursive: true });
    },
  };
}

/** Runs a command to its end on a machine of its own. */
export async function runOnce(...how: Parameters<Machine["runInside"]>): Promise<Ending> {
  await using machine = await makeMachine();
  // Awaited here, because the machine ends with this function.
  return await machine.runInside(...how);
}

/** Everything in one terminal. */
function interruptGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, "SIGINT");
  } catch (error) {
    // It has just ended.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

function ownEnvironment(home: string): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    USERPROFILE: home,
    APPDATA: join(home, "AppData"),
    XDG_DATA_HOME: join(home, "data"),
    SOUNDFERRY_PORT: "0",
    SOUNDFERRY_PANEL_PORT: "0",
    SOUNDFERRY_DEVICE_NAME: "Test machine",
    SOUNDFERRY_MIN_FREE_BYTES: "0",
    // Every start reads the same sources.
    NODE_COMPILE_CACHE:
      process.env["NODE_COMPILE_CACHE"] ?? join(tmpdir(), "soundferry-test-compile-cache"),
  };
}

/** The defaults of these were computed when this process began, from its own home folder. */
function ownFolders(home: string): Record<string, string> {
  const folder = join(home, "data", "soundferry");
  return {
    SOUNDFERRY_DATA: join(folder, "relay"),
    SOUNDFERRY_IMPORTER_DATA: join(folder, "importer"),
    SOUNDFERRY_APP_DATA: join(folder, "app"),
  };
}

function watch(
  child: ChildProcessWithoutNullStreams,
  interrupt: (signal: NodeJS.Signals) => unknown,
): RunningCommand {
  const printed = { stdout: "", stderr: "" };
  const checks = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      printed[name] += text;
      for (const check of checks) check();
    });
  }
  const ended = new Promise<Ending>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, ...printed }));
  });
  return {
    get stdout() {
      return printed.stdout;
    },
    get stderr() {
      return printed.stderr;
    },
    ended,
    until: (fits) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (!fits(printed)) return;
          checks.delete(check);
          resolve();
        };
        checks.add(check);
        void ended.then(() =>
          reject(new Error(`It ended without that:\n${printed.stdout}\n${printed.stderr}`)),
        );
        check();
      }),
    interrupt: (signal = "SIGINT") => void interrupt(signal),
  };
}

/** The emitters that a command may listen to in its process. */
const EMITTERS = [process, process.stdout, process.stderr];

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command to its end in this process, which for that time has another environment and keeps what is printed.
 * One at a time, because they share them. It proves nothing about signals or the end of a process.
 */
export function runInside(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ending> {
  const run = last.then(() => runAlone(words, environment));
  last = run.catch(() => undefined);
  return run;
}

async function runAlone(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ending> {
  const printed = { stdout: "", stderr: "" };
  using restored = new DisposableStack();
  restored.defer(replaceEnvironment(environment));
  restored.defer(keepListeners());
  for (const name of ["stdout", "stderr"] as const) {
    const write: unknown = Reflect.get(process[name], "write");
    restored.defer(() => Reflect.set(process[name], "write", write));
    process[name].write = (text: string | Uint8Array) => {
      printed[name] += String(text);
      return true;
    };
  }
  const { exitCode } = process;
  restored.defer(() => void (process.exitCode = exitCode));
  Reflect.set(process, "exitCode", undefined);
  await runCommand(words);
  return { status: Number(process.exitCode ?? 0), ...printed };
}

/** @returns what puts the former one back */
function replaceEnvironment(environment: Readonly<Record<string, string>>): () => void {
  const former = { ...process.env };
  const set = (wanted: NodeJS.ProcessEnv): void => {
    for (const name of Object.keys(process.env)) if (!(name in wanted)) delete process.env[name];
    Object.assign(process.env, wanted);
  };
  set(environment);
  return () => set(former);
}

/** @returns what removes the listeners that were added since */
function keepListeners(): () => void {
  const former = EMITTERS.map((emitter) =>
    emitter.eventNames().map((name) => [name, emitter.rawListeners(name)] as const),
  );
  return () => {
    for (const [index, emitter] of EMITTERS.entries()) {
      const before = new Map(former[index]);
      for (const name of emitter.eventNames()) {
        for (const listener of emitter.rawListeners(name)) {
          if (before.get(name)?.includes(listener) === true) continue;
          emitter.removeListener(name, listener as () => void);
        }
      }
    }
  };
}
