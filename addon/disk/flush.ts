import { fdatasyncSync, fsyncSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";

// Node's permission model, under which Live runs extensions, refuses a flush from Node 26 on. The system
// then writes to disk in its own time: a crash of the program still loses nothing, a power cut may.

/** Resolves once a file's bytes survive a power cut, as far as Node permits it (fdatasync). */
export function flushData(file: Pick<FileHandle, "datasync">): Promise<void> {
  return asPermitted(() => file.datasync());
}

/** Like `flushData`, with a file's properties or a folder's entries (fsync). */
export function flushAll(file: Pick<FileHandle, "sync">): Promise<void> {
  return asPermitted(() => file.sync());
}

/** Like `flushData`, for code that must not wait. */
export function flushDataSync(file: number): void {
  asPermittedSync(() => fdatasyncSync(file));
}

/** Like `flushAll`, for code that must not wait. */
export function flushAllSync(file: number): void {
  asPermittedSync(() => fsyncSync(file));
}

async function asPermitted(flush: () => Promise<void>): Promise<void> {
  try {
    await flush();
  } catch (error) {
    if (!isForbidden(error)) throw error;
  }
}

function asPermittedSync(flush: () => void): void {
  try {
    flush();
  } catch (error) {
    if (!isForbidden(error)) throw error;
  }
}

/** Whether Node has no flush here at all; it refuses a file with the same code. */
function isForbidden(error: unknown): boolean {
  const isDenied = error instanceof Error && "code" in error && error.code === "ERR_ACCESS_DENIED";
  return isDenied && /\bf(data)?sync API is disabled\b/.test(error.message);
}
