import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../../..");

/** Reads the files that git tracks and whose path `isWanted`. Paths are from the root, with slashes. */
export function readTracked(
  isWanted: (path: string) => boolean,
): readonly { readonly file: string; readonly text: string }[] {
  const tracked = execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" }).split("\n");
  return tracked
    .filter((file) => file !== "" && isWanted(file))
    .map((file) => ({ file, text: readFileSync(join(ROOT, file), "utf8") }));
}
