import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Takes from root the right to read every folder, and leaves it its own files. */
const WITHOUT_ROOTS_RIGHTS = [
  "setpriv",
  "--bounding-set=-dac_override,-dac_read_search",
  "--inh-caps=-dac_override,-dac_read_search",
];

/** Runs a script that can't read what its user may not read, root included. Resolves with what it prints. */
export async function runUnprivileged(script: string, ...words: string[]): Promise<string> {
  const command = [process.execPath, script, ...words];
  const [program = "", ...rest] =
    process.getuid?.() === 0 ? [...WITHOUT_ROOTS_RIGHTS, ...command] : command;
  return (await promisify(execFile)(program, rest)).stdout;
}
