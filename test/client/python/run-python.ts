import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { join } from "node:path";

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
