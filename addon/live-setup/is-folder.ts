import { stat } from "node:fs/promises";

/** Returns whether a folder, or a link to one, is there. */
export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
