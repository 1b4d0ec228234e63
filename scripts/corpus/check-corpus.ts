import { readFile } from "node:fs/promises";
import path from "node:path";
import { Refusal } from "../../core/protocol/refusal.ts";
import { compareJudgment } from "./compare-judgment.ts";
import { judgeWav } from "./judge-wav.ts";
import { readIndex } from "./read-index.ts";

/** The result of reading a corpus. */
export interface CorpusResult {
  readonly files: number;
  readonly accepted: number;
  readonly refused: number;
  /** Texts that each start with their file, including files that can't be read at all. */
  readonly differences: readonly string[];
}

/**
 * Runs the WAV reader over every file in a folder's `INDEX.tsv` and compares the results.
 * @throws {Error} if there is no readable index
 */
export async function checkCorpus(folder: string): Promise<CorpusResult> {
  const index = readIndex(await readFile(path.join(folder, "INDEX.tsv"), "utf8"));
  const differences: string[] = [];
  let accepted = 0;
  let refused = 0;
  for (const line of index) {
    try {
      const bytes = await readFile(path.join(folder, line.file));
      const judgment = await judgeWav(bytes, path.basename(line.file));
      if (judgment instanceof Refusal) refused += 1;
      else accepted += 1;
      const found = compareJudgment(line, judgment);
      differences.push(...found.map((difference) => `${line.file}: ${difference}`));
    } catch (error) {
      differences.push(`${line.file}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { files: index.length, accepted, refused, differences };
}
