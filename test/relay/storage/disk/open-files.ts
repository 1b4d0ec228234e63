import { readdir, readlink } from "node:fs/promises";

/** Paths of this process's open files in a folder. Linux only. */
export async function openFiles(folder: string): Promise<string[]> {
  const paths = await Promise.all(
    (await readdir("/proc/self/fd")).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => "")),
  );
  return paths.filter((path) => path.startsWith(folder));
}
