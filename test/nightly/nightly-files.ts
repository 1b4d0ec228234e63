import { globSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import type { Part } from "./parts.ts";

const ROOT = join(import.meta.dirname, "../..");

/** All nightly test files, from the root, with slashes. */
export const NIGHTLY_FILES = filesLike("test/**/*.nightly.test.ts");

/** Every test file that a part runs. */
export function filesOf(part: Part): readonly string[] {
  const own = NIGHTLY_FILES.filter((file) => runsNightly(part, file));
  return [...own, ...(part.wholeForms ?? []).flatMap(filesLike)];
}

/** Checks whether a nightly test file belongs to the part. */
export function runsNightly({ tests = [] }: Part, file: string): boolean {
  return tests.some((glob) => matchesGlob(file, glob));
}

function filesLike(glob: string): readonly string[] {
  const files = globSync(glob, { cwd: ROOT });
  return files.map((file) => file.replaceAll("\\", "/")).toSorted();
}
