import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Keys of the sounds in a data folder or a backup, sorted; unfinished ones end in `.part`. */
export async function soundsIn(folder: string): Promise<readonly string[]> {
  const paths = await readdir(join(folder, "sounds"), { recursive: true });
  return paths
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.includes("snd_") && !path.startsWith(".quarantine"))
    .toSorted();
}
