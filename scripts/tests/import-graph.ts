import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, matchesGlob, posix } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const SOURCE = /\.(?:tsx?|[cm]?js)$/;

/**
 * A graph of the files that each source names in its text: imports, processes that they start, and documents that they
 * read. Paths are from the root, with slashes.
 */
export class ImportGraph {
  /** All files, from the root. */
  readonly files: readonly string[] = listFiles();
  readonly #namers = new Map<string, Set<string>>();
  /** The folders and patterns that sources name. */
  readonly #wide: (readonly [pattern: string, namer: string])[] = [];

  constructor() {
    const known = new Set(this.files);
    for (const file of this.files.filter((one) => SOURCE.test(one))) {
      for (const text of textsOf(file)) this.#add(file, text, known);
    }
  }

  /** Sources that name a file, a folder that it is in, or a pattern that it matches. */
  namersOf(file: string): ReadonlySet<string> {
    const named = new Set(this.#namers.get(file));
    // Sources import each other by name; a folder or a pattern is for what tests read.
    if (SOURCE.test(file) && !file.startsWith("fixtures/")) return named;
    for (const [pattern, namer] of this.#wide) if (matchesGlob(file, pattern)) named.add(namer);
    return named;
  }

  /** Everything that reaches one of the files, with how many steps lie between. */
  reaching(changed: readonly string[]): ReadonlyMap<string, number> {
    const distances = new Map(changed.map((file) => [file, 0]));
    // A map's iteration meets what is added to it on the way.
    for (const [file, distance] of distances) {
      for (const namer of this.namersOf(file)) {
        if (!distances.has(namer)) distances.set(namer, distance + 1);
      }
    }
    return distances;
  }

  #add(file: string, text: string, known: ReadonlySet<string>): void {
    const paths = text.startsWith(".") ? [posix.join(posix.dirname(file), text), text] : [text];
    for (const path of paths.map((one) => posix.normalize(one))) {
      if (known.has(path)) {
        const namers = this.#namers.get(path) ?? new Set();
        this.#namers.set(path, namers.add(file));
      } else if (text.includes("*")) {
        this.#wide.push([path, file]);
      } else if (text.includes("/") && existsSync(join(ROOT, path))) {
        this.#wide.push([`${path}/**`, file]);
      }
    }
  }
}

/** What git knows and what is new. */
function listFiles(): readonly string[] {
  const words = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const listed = execFileSync("git", words, { cwd: ROOT, encoding: "utf8", maxBuffer: 2 ** 26 });
  return [...new Set(listed.split("\0"))].filter(
    (file) => file !== "" && existsSync(join(ROOT, file)),
  );
}

function textsOf(file: string): ReadonlySet<string> {
  const text = readFileSync(join(ROOT, file), "utf8");
  return new Set(
    Array.from(text.matchAll(/["'`]([\w@.*{},/-]+)["'`]/g), ([, inner = ""]) => inner),
  );
}
