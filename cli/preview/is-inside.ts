import { isAbsolute, relative, sep } from "node:path";

/** Whether a folder is another one or lies in it. */
export function isInside(outer: string, folder: string): boolean {
  const path = relative(outer, folder);
  return path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}
