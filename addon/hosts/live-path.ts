import { realpath } from "node:fs/promises";

/** Strips the long-path prefix that Live on Windows may return, such as in `\\?\C:\Sets`. */
export function withoutWindowsPrefix(path: string): string {
  return path.replace(/^\\\\\?\\UNC\\/i, "\\\\").replace(/^\\\\\?\\/, "");
}

/**
 * Returns a path without links and without Windows' prefix.
 * @throws {unknown} the disk's error, for example where nothing lies at the path
 */
export async function resolvePath(path: string): Promise<string> {
  return withoutWindowsPrefix(await realpath(withoutWindowsPrefix(path)));
}

/** Resolves a path's links, because Live refuses them; returns the path unchanged where no file is. */
export async function withoutLinks(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
