import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

/**
 * Runs a program on a disk in memory that only it can see, once for each argument: $0 is the mount point, $1 the
 * disk's size, $2 the program, $3 its file; the rest are the arguments.
 */
const ON_SMALL_DISK = `
  mount -t tmpfs -o size="$1" small "$0" && cd "$0" || exit 1
  program="$2"; file="$3"; shift 3
  for argument; do "$program" "$file" "$0" "$argument"; status=$?; done
  exit $status`;

/** Whether this system lets an ordinary process mount a private disk. */
export function canMount(): boolean {
  try {
    const check = "mount -t tmpfs -o size=1m small /tmp";
    execFileSync("unshare", ["-rm", "sh", "-c", check], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs a script, a path from this folder, on a disk of its own, once for each of the arguments; the disk's folder comes before it. Resolves
 * with the JSON that the script prints, and fails if the last run does.
 */
export async function runOnSmallDisk(
  script: string,
  size: string,
  runs: readonly string[] = [""],
  // oxlint-disable-next-line typescript/no-explicit-any -- a test looks into answers of every shape
): Promise<any> {
  const folder = await mkdtemp(join(tmpdir(), "soundferry-small-disk-"));
  try {
    const command = ["-rm", "sh", "-c", ON_SMALL_DISK, folder];
    const program = [size, process.execPath, resolve(import.meta.dirname, script), ...runs];
    const { stdout } = await promisify(execFile)("unshare", [...command, ...program]);
    return JSON.parse(stdout);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes a file until the disk is full. */
export async function fillUp(filler: string): Promise<void> {
  await using file = await open(filler, "w");
  for (const size of [65_536, 4096]) {
    try {
      for (;;) await file.write(Buffer.alloc(size));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
    }
  }
}
