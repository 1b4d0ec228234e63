import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const COMMAND = join(import.meta.dirname, "..", "..", "cli", "soundferry.ts");

export interface Ending {
  /** Exit status; null when a signal ended it. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A soundferry command that runs as a process of its own. */
export interface RunningCommand {
  readonly stdout: string;
  readonly stderr: string;
  readonly ended: Promise<Ending>;
  /** Resolves as soon as what was printed so far fits; rejects when the command ends without it. */
  until(fits: (printed: { stdout: string; stderr: string }) => boolean): Promise<void>;
  /** Presses Ctrl-C. */
  interrupt(): void;
}

/** A machine of a test's own: no setting from outside, a home folder that is removed afterwards. */
export interface Machine extends AsyncDisposable {
  readonly home: string;
  /** Runs a command to its end. */
  run(words: readonly string[], environment?: Record<string, string>): Promise<Ending>;
  /** Starts a command that goes on; it is interrupted when the machine is disposed of. */
  start(words: readonly string[], environment?: Record<string, string>): RunningCommand;
}

export async function makeMachine(): Promise<Machine> {
  const home = await mkdtemp(join(tmpdir(), "soundferry-machine-"));
  const running = new Set<RunningCommand>();
  const start = (words: readonly string[], environment = {}): RunningCommand => {
    const command = startCommand(words, { ...ownEnvironment(home), ...environment });
    running.add(command);
    void command.ended.then(() => running.delete(command));
    return command;
  };
  return {
    home,
    start,
    run: async (words, environment) => start(words, environment).ended,
    async [Symbol.asyncDispose]() {
      for (const command of running) command.interrupt();
      await Promise.all([...running].map(({ ended }) => ended));
      await rm(home, { recursive: true });
    },
  };
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
    NODE_COMPILE_CACHE: join(tmpdir(), "soundferry-test-compile-cache"),
  };
}

function startCommand(words: readonly string[], env: Record<string, string>): RunningCommand {
  const child = spawn(process.execPath, [COMMAND, ...words], {
    env,
    stdio: "pipe",
    // Nothing outlives a test that was given up on.
    timeout: 60_000,
  });
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
    interrupt: () => void child.kill("SIGINT"),
  };
}
