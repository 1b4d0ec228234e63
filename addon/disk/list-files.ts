import { readdir } from "node:fs/promises";
import { isMissing } from "./atomic-file.ts";

/** Lists the names of the files in a folder; none where there is no folder. */
export async function listFiles(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
