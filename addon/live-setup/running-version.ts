import { join } from "node:path";
import { isJsonObject } from "../../core/text/json-object.ts";
import { parseJson } from "../../core/text/parse-json.ts";
import { readTextIfAny } from "../disk/atomic-file.ts";
import { PORT_FILE } from "../hosts/live/remote-script/find-control-surface.ts";

/**
 * Returns the version of the script that a running Live has loaded, by the files that it wrote into these
 * folders; null if no such process runs. Unlike a login this works with any version of the script.
 */
export async function readRunningVersion(folders: readonly string[]): Promise<string | null> {
  for (const folder of folders) {
    const value = parseJson((await readTextIfAny(join(folder, PORT_FILE))) ?? "");
    if (!isJsonObject(value)) continue;
    const { version, process: pid } = value;
    if (typeof version === "string" && typeof pid === "number" && isRunning(pid)) return version;
  }
  return null;
}

function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Any other error, such as EPERM, means that the process exists.
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}
