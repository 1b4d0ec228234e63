import { resolve, sep } from "node:path";
import { isInside } from "./disk-error.ts";

/** Expands `~` and resolves a relative path against the working directory. */
export function expandHome(text: string, home: string): string {
  return resolve(text.replace(/^~(?=$|[/\\])/, () => home));
}

/** Returns a path as people know it, with `~` for the home folder. */
export function shortenHome(path: string, home: string): string {
  if (!isInside(path, home) || home === sep) return path;
  return `~${path.slice(home.length)}`;
}
