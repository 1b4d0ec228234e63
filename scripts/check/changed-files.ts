import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

/** The differences between a commit and the files as they are, committed or not. */
export interface Changed {
  /** The commit, shortened. */
  readonly base: string;
  readonly files: readonly ChangedFile[];
}

export interface ChangedFile {
  /** From the root, with slashes. */
  readonly path: string;
  readonly isDeleted: boolean;
  /** First and last line of each changed place, counted from 1; of a new file all lines. A place where lines only went is missing. */
  readonly lines: readonly (readonly [first: number, last: number])[];
  /** Lines that are gone or were different. */
  readonly removed: readonly string[];
}

/** @param base a commit or branch; else where this branch left `origin/main` or `main` */
export function findChanged(base?: string, cwd = ROOT): Changed {
  const git = (...words: string[]) =>
    execFileSync("git", words, { cwd, encoding: "utf8", maxBuffer: 2 ** 28 });
  const since = base ?? findBase(git);
  const differing = (...words: string[]) =>
    git("-c", "core.quotePath=false", "diff", "--no-renames", ...words, since);
  const names = differing("--name-only", "-z").split("\0");
  const untracked = git("ls-files", "-z", "--others", "--exclude-standard").split("\0");
  const diff = differing(
    "--unified=0",
    "--no-color",
    "--no-ext-diff",
    "--dst-prefix=b/",
    "--src-prefix=a/",
  );
  const parts = new Map(diff.split(/^diff --git /m).map((part) => [pathOf(part), part]));
  const describe = (path: string): ChangedFile => ({
    path,
    isDeleted: !existsSync(join(cwd, path)),
    ...parsePart(parts.get(path) ?? ""),
    ...(untracked.includes(path) && { lines: [[1, Infinity]] }),
  });
  return {
    base: git("rev-parse", "--short", since).trim(),
    files: [...names, ...untracked].filter((path) => path !== "").map(describe),
  };
}

function findBase(git: (...words: string[]) => string): string {
  const refs = git("for-each-ref", "--format=%(refname)").split("\n");
  const main = ["refs/remotes/origin/main", "refs/heads/main"].find((ref) => refs.includes(ref));
  return main === undefined ? "HEAD" : git("merge-base", "HEAD", main).trim();
}

function pathOf(part: string): string | undefined {
  // A deleted file has no new name.
  return (/^\+\+\+ b\/(.*)$/m.exec(part) ?? /^--- a\/(.*)$/m.exec(part))?.[1];
}

/** One file of a diff, with places such as `@@ -3,2 +3 @@`. */
function parsePart(part: string): Pick<ChangedFile, "lines" | "removed"> {
  const places = [...part.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)];
  const lines = places.flatMap(([, first = "", count = "1"]) =>
    count === "0" ? [] : [[Number(first), Number(first) + Number(count) - 1] as const],
  );
  const removed = Array.from(part.matchAll(/^-(?!-- )(.*)$/gm), ([, line = ""]) => line);
  return { lines, removed };
}
