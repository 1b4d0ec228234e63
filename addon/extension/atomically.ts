import { closeSync, constants, openSync, renameSync, writeFileSync as writeAll } from "node:fs";

// Replaces the package `atomically` in the bundle: `conf` writes its file with it, and its `fsyncSync` is
// forbidden by Node's permission model, which Live enables.

/** The flag that flushes each write. Windows has no such flag. */
const WAITS_FOR_DISK = constants.O_SYNC ?? 0;

/** Replaces a file atomically. Allows one writer per path at a time. */
export function writeFileSync(
  path: string,
  bytes: string | Uint8Array,
  { mode = 0o600 }: { readonly mode?: number | undefined } = {},
): void {
  const { O_WRONLY, O_CREAT, O_TRUNC } = constants;
  const unfinished = `${path}.new`;
  const file = openSync(unfinished, O_WRONLY | O_CREAT | O_TRUNC | WAITS_FOR_DISK, mode);
  try {
    writeAll(file, bytes);
  } finally {
    closeSync(file);
  }
  renameSync(unfinished, path);
}
