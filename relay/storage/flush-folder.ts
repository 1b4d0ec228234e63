import { closeSync, fsyncSync, openSync } from "node:fs";

/** Makes the names in a folder durable. Windows has no such call and does so automatically. */
export function flushFolderNow(folder: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
