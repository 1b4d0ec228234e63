import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const FENCED = /^```(\w*)\n(.*?)^```$/gms;

/** A page of the project's documentation. */
export interface Page {
  /** From the project's folder, with `/`. */
  readonly path: string;
  /** The text outside fenced blocks. */
  readonly prose: string;
  /** The fenced blocks, in order. */
  readonly blocks: readonly { readonly language: string; readonly text: string }[];
}

/** Every page of the project: those at its top and of GitHub, and all below `docs/`, `fixtures/`, `client/python/` and `test/`. */
export function readPages(): readonly Page[] {
  const paths = globSync(
    ["*.md", ".github/*.md", "docs/**/*.md", "fixtures/*.md", "client/python/*.md", "test/**/*.md"],
    { cwd: ROOT, exclude: ["docs/examples/**"] },
  );
  return paths
    .map((path) => readPage(path.replaceAll("\\", "/")))
    .toSorted((one, other) => one.path.localeCompare(other.path));
}

/** One page. @param path from the project's folder */
function readPage(path: string): Page {
  const text = readFileSync(join(ROOT, path), "utf8").replaceAll("\r\n", "\n");
  const blocks = [...text.matchAll(FENCED)].map(([, language = "", inner = ""]) => ({
    language,
    text: inner,
  }));
  return { path, prose: text.replaceAll(FENCED, ""), blocks };
}
