import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

// `npm run build:wheel`: the Python package as a wheel, in `dist/python/`.

const ROOT = join(import.meta.dirname, "..");

/**
 * Builds the wheel of `client/python/` with Python's standard library alone.
 * @param folder absolute; it is created
 * @param python the program to run. Default: `python3`
 * @returns the wheel's path
 */
export async function buildWheel(
  folder: string,
  python = process.env["TEST_PYTHON"] ?? "python3",
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const builder = join(ROOT, "client/python/build_backend/soundferry_build.py");
  const { stdout } = await promisify(execFile)(python, ["-B", builder, folder]);
  return join(folder, stdout.trim());
}

if (import.meta.main) {
  await buildWheel(join(ROOT, "dist/python"));
  process.stdout.write("dist/python/: the Python package soundferry\n");
}
