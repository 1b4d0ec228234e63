/** A path as other programs take it: Live on Windows may give it in the long form, such as `\\?\C:\Sets`. */
export function withoutWindowsPrefix(path: string): string {
  return path.replace(/^\\\\\?\\UNC\\/i, "\\\\").replace(/^\\\\\?\\/, "");
}
