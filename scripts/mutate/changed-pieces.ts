import { globSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import type { ChangedFile } from "../check/changed-files.ts";
import type { ImportGraph } from "../tests/import-graph.ts";
import { LEFT_OUT_TESTS, type Part } from "./parts.ts";

const ROOT = join(import.meta.dirname, "../..");
/** A longer place is tried in several pieces, as time allows. */
export const MAX_LINES = 25;

/** Lines of a file that were changed, one after the other. */
export interface Piece {
  readonly part: Part;
  readonly file: string;
  readonly first: number;
  readonly last: number;
}

/** The changed lines of these parts, and the changed sources that no part has. */
export function piecesOf(
  changed: readonly ChangedFile[],
  parts: readonly Part[],
  lineCountOf: (file: string) => number,
): { readonly pieces: readonly Piece[]; readonly outside: readonly string[] } {
  const sources = changed.filter(
    ({ path, isDeleted }) => /\.tsx?$/.test(path) && !isDeleted && !path.startsWith("test/"),
  );
  const placed = sources.map((file) => ({ file, part: partOf(file.path, parts) }));
  return {
    pieces: placed.flatMap(({ file, part }) =>
      part === undefined ? [] : cutFile(file, part, lineCountOf(file.path)),
    ),
    outside: placed.flatMap(({ file, part }) => (part === undefined ? [file.path] : [])),
  };
}

function partOf(file: string, parts: readonly Part[]): Part | undefined {
  return parts.find(({ mutate }) => mutate.some((glob) => matchesGlob(file, glob)));
}

function cutFile({ path, lines }: ChangedFile, part: Part, lineCount: number): readonly Piece[] {
  return lines.flatMap(([first, last]) => {
    const end = Math.min(last, lineCount);
    const starts = Array.from(
      { length: Math.ceil((end - first + 1) / MAX_LINES) },
      (_, index) => first + index * MAX_LINES,
    );
    return starts.map((start) => ({
      part,
      file: path,
      first: start,
      last: Math.min(end, start + MAX_LINES - 1),
    }));
  });
}

/** Counts the first pieces that make a run: of one part, and with at most so many lines. */
export function batchSize(pieces: readonly Piece[], maxLines: number): number {
  let lines = 0;
  const end = pieces.findIndex(({ part, first, last }) => {
    lines += last - first + 1;
    return part !== pieces[0]?.part || lines > maxLines;
  });
  return end === -1 ? pieces.length : end;
}

/** A part with nothing but these pieces, and those of its tests that reach their files. */
export function narrowPart(pieces: readonly Piece[], graph: ImportGraph): Part {
  const [{ part } = { part: undefined }] = pieces;
  if (part === undefined) throw new Error("There are no pieces.");
  const reaching = graph.reaching(pieces.map(({ file }) => file));
  const tests = part.tests.flatMap((glob) => globSync(glob, { cwd: ROOT }).toSorted());
  const reached = [...new Set(tests.map((path) => path.replaceAll("\\", "/")))].filter(
    (path) => reaching.has(path) && !LEFT_OUT_TESTS.some((glob) => matchesGlob(path, glob)),
  );
  return {
    ...part,
    folder: `${part.folder}-changed`,
    mutate: pieces.map(({ file, first, last }) => `${file}:${first}-${last}`),
    tests: reached,
  };
}
