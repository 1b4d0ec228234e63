import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findChanged } from "../check/changed-files.ts";
import { ImportGraph } from "../tests/import-graph.ts";
import { batchSize, MAX_LINES, narrowPart, type Piece, piecesOf } from "./changed-pieces.ts";
import type { Part } from "./parts.ts";
import { type Change, tryPart } from "./try-part.ts";

const ROOT = join(import.meta.dirname, "../..");
/** No run begins that would end later. */
const LIMIT_MS = 280_000;
/** The parts of a change that were tried, and those that weren't. */
export interface ChangedResult {
  readonly changes: readonly Change[];
  /** Such as `core/limits.ts:10-20`, for which there was no time. */
  readonly late: readonly string[];
  /** Changed files that belong to no folder that is mutated. */
  readonly outside: readonly string[];
  /** Changed files that no test of their part imports. */
  readonly unreached: readonly string[];
}

/** Tries the changed lines of these parts in runs that together take less than five minutes. */
export async function tryChanged(
  parts: readonly Part[],
  base: string | undefined,
): Promise<ChangedResult> {
  const { files } = findChanged(base);
  const { pieces, outside } = piecesOf(files, parts, lineCountOf);
  const graph = new ImportGraph();
  const changes: Change[] = [];
  const unreached: string[] = [];
  const start = performance.now();
  let left = pieces;
  // After the first run its own speed counts.
  let maxLines = MAX_LINES;
  let triedLines = 0;
  for (let size = batchSize(left, maxLines); size > 0; size = batchSize(left, maxLines)) {
    const batch = left.slice(0, size);
    left = left.slice(size);
    const part = narrowPart(batch, graph);
    if (part.tests.length === 0) {
      unreached.push(...new Set(batch.map(({ file }) => file)));
      continue;
    }
    changes.push(...(await tryPart(part, "once")));
    triedLines += linesOf(batch);
    const spentMs = performance.now() - start;
    maxLines = Math.floor(((LIMIT_MS - spentMs) * triedLines) / spentMs);
  }
  return { changes, late: left.map(formatPiece), outside, unreached };
}

function linesOf(pieces: readonly Piece[]): number {
  return pieces.reduce((total, { first, last }) => total + last - first + 1, 0);
}

function lineCountOf(file: string): number {
  return readFileSync(join(ROOT, file), "utf8").split("\n").length;
}

function formatPiece({ file, first, last }: Piece): string {
  return `${file}:${first}-${last}`;
}
