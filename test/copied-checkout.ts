import { cpSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";

const ROOT = join(import.meta.dirname, "..");

/**
 * Copies this checkout into a folder, for what changes it for a moment, as packing does: other tests must
 * not see that. Its packages are the checkout's own: nothing may be installed there.
 * @param path of the copy, which is made
 */
export function copyCheckout(path: string): void {
  const left = new Set(["node_modules", "dist", ".git"]);
  cpSync(ROOT, path, { recursive: true, filter: (from) => !left.has(basename(from)) });
  symlinkSync(join(ROOT, "node_modules"), join(path, "node_modules"));
}
