import { cpSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";

const ROOT = join(import.meta.dirname, "..");

/**
 * Copies this checkout into a new folder, for commands that modify it temporarily, such as packing. The copy shares
 * the checkout's installed packages, so nothing may be installed there.
 */
export function copyCheckout(path: string): void {
  const left = new Set(["node_modules", "dist", ".git"]);
  cpSync(ROOT, path, { recursive: true, filter: (from) => !left.has(basename(from)) });
  symlinkSync(join(ROOT, "node_modules"), join(path, "node_modules"));
}
