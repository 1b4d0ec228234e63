import { closeSync, constants, openSync, renameSync, writeFileSync as writeAll } from "node:fs";

// `conf` writes its file with the package `atomically`, which flushes it with `fsyncSync`. Node's permission model,
// which Live switches on, forbids that call. So the build puts this in the package's place.

/** Each write waits for the disk. Windows has no such flag. */
const WAITS_FOR_DISK = constants.O_SYNC ?? 0;

/**
 * Writes a file so that whoever reads it finds the old bytes or the new ones. One writer at a time for
 * each path.
 */
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
