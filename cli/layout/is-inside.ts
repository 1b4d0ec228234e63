import { isAbsolute, relative, sep } from "node:path";

/** Checks whether a path is a folder or lies in it. */
export function isInside(folder: string, path: string): boolean {
  const from = relative(folder, path);
  return from !== ".." && !from.startsWith(`..${sep}`) && !isAbsolute(from);
}
