import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { SettingsSource } from "../../core/settings.ts";

const run = promisify(execFile);
const KEY = String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\Explorer\User Shell Folders`;

/** Asks Windows for the Documents folder, which OneDrive or the user may have moved; undefined if it doesn't say. */
export async function askWindowsForDocuments(
  environment: SettingsSource,
): Promise<string | undefined> {
  try {
    const { stdout } = await run("reg", ["query", KEY, "/v", "Personal"]);
    return parseDocuments(stdout, environment);
  } catch {
    // Without the right to ask, the usual places are tried.
    return undefined;
  }
}

/** Parses the folder from what `reg query` prints, in any language, and expands its variables. */
export function parseDocuments(printed: string, environment: SettingsSource): string | undefined {
  const value = /^\s*Personal\s+REG_(?:EXPAND_)?SZ\s+(.+?)\s*$/m.exec(printed)?.[1];
  const names = new Map(
    Object.entries(environment).map(([name, text]) => [name.toLowerCase(), text]),
  );
  return value?.replaceAll(/%([^%]+)%/g, (whole, name: string) => {
    return names.get(name.toLowerCase()) ?? whole;
  });
}
