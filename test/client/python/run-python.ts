import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { readFile, writeFile } from "node:fs/promises";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import type { RunningRelay } from "../../relay/running-relay.ts";

/** The folder of the Python package. */
export const PACKAGE = join(import.meta.dirname, "../../../client/python");
/** The Python that the tests run. */
export const PYTHON = process.env["TEST_PYTHON"] ?? "python3";

export interface PythonRun {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running Python. */
export class PythonProcess {
  readonly ended: Promise<PythonRun>;
  readonly #child: ChildProcess;
  #stderr = "";
  #onText: () => void = () => undefined;

  /** @param env variables added to the process's own */
  constructor(words: readonly string[], env: Record<string, string> = {}, cwd?: string) {
    // -B: a test leaves no compiled files in the checkout.
    this.#child = spawn(PYTHON, ["-B", ...words], {
      env: { ...process.env, PYTHONPATH: PACKAGE, ...env },
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    this.#child.stdout?.on("data", (text) => (stdout += String(text)));
    this.#child.stderr?.on("data", (text) => {
      this.#stderr += String(text);
      this.#onText();
    });
    this.ended = new Promise((resolve, reject) => {
      this.#child.on("error", () =>
        reject(new Error(`There is no ${PYTHON} here: install Python 3.9 or later.`)),
      );
      this.#child.on("close", (status, signal) => {
        resolve({ status, signal, stdout, stderr: this.#stderr });
        this.#onText();
      });
    });
  }

  /** Resolves once it has printed this to stderr; rejects if it ends before. */
  async said(text: string): Promise<void> {
    const heard = new Promise<void>((resolve) => {
      this.#onText = () => {
        if (this.#stderr.includes(text)) resolve();
      };
      this.#onText();
    });
    const over = this.ended.then(({ stderr }) => {
      if (!stderr.includes(text)) throw new Error(`It ended and never said "${text}":\n${stderr}`);
    });
    await Promise.race([heard, over]);
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}

/** Runs Python to its end. */
export async function runPython(
  words: readonly string[],
  env: Record<string, string> = {},
): Promise<PythonRun> {
  return new PythonProcess(words, env).ended;
}

/** Checks whether this Python can import a module. */
export function hasModule(name: string): boolean {
  return spawnSync(PYTHON, ["-c", `import ${name}`]).status === 0;
}

/** The command of an app, a code to pair it with, and sounds to send. */
export async function commandOf(relay: RunningRelay, url = relay.url) {
  const folder = await temporaryFolder();
  const env = { SOUNDFERRY_APP_DATA: join(folder, "app") };
  const words = (action: string, ...more: readonly string[]) => [
    "-m",
    "soundferry",
    action,
    ...more,
    "--relay",
    url,
  ];
  const importer = await relay.register();
  const { json } = await relay.call("POST", "/importer/pairing-code", { token: importer.token });
  const write = async (name: string, bytes: Uint8Array): Promise<string> => {
    await writeFile(join(folder, name), bytes);
    return join(folder, name);
  };
  return {
    importer,
    env,
    code: String(json.code),
    token: async (): Promise<string> => {
      const tokens = await readFile(join(env.SOUNDFERRY_APP_DATA, "tokens.json"), "utf8");
      return String(Object.values(JSON.parse(tokens))[0]);
    },
    write,
    run: (action: string, ...more: readonly string[]): Promise<PythonRun> =>
      runPython(words(action, ...more), env),
    start: (action: string, ...more: readonly string[]): PythonProcess =>
      new PythonProcess(words(action, ...more), env),
  };
}

/** Reads the package's id in a command's output. */
export function packageIn({ stderr }: { readonly stderr: string }): string {
  return /Package (pkg_\S+):/.exec(stderr)?.[1] ?? "";
}
