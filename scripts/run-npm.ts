import { execFile } from "node:child_process";
import { promisify } from "node:util";

/**
 * Runs npm, the one that started this script if there is one, and returns what it prints.
 * @throws {Error} if it fails
 */
export async function runNpm(words: readonly string[], cwd: string): Promise<string> {
  const npm = process.env["npm_execpath"];
  const [program, all] = npm === undefined ? ["npm", words] : [process.execPath, [npm, ...words]];
  // On Windows, npm is a script that only a shell starts.
  const shell = npm === undefined && process.platform === "win32";
  const options = { cwd, shell, maxBuffer: 2 ** 26 };
  const { stdout } = await promisify(execFile)(program, all, options);
  return stdout;
}
