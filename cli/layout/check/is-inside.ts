import { isAbsolute, sep } from "node:path";

/** Checks whether a relative path stays inside the folder that it starts from. */
export function isInside(path: string): boolean {
  return path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}
