/** Strips the long-path prefix that Live on Windows may return, such as in `\\?\C:\Sets`. */
export function withoutWindowsPrefix(path: string): string {
  return path.replace(/^\\\\\?\\UNC\\/i, "\\\\").replace(/^\\\\\?\\/, "");
}
