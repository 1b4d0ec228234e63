/**
 * Compares the WAV reader with a folder of WAVs whose `INDEX.tsv` has a verdict for each:
 * `npm run corpus -- <folder>`. Exit status: 0 all agree, 1 something differs, 2 wrong usage.
 * `scripts/corpus/read-index.ts` describes the index.
 */
import { checkCorpus, type CorpusResult } from "./corpus/check-corpus.ts";

const USAGE = "Usage: npm run corpus -- <folder with an INDEX.tsv and the WAVs it lists>";

async function main(args: readonly string[]): Promise<number> {
  const [folder, ...more] = args;
  if (folder === "--help") {
    console.log(USAGE);
    return 0;
  }
  if (folder === undefined || folder.startsWith("-") || more.length > 0) {
    console.error(USAGE);
    return 2;
  }
  let result: CorpusResult;
  try {
    result = await checkCorpus(folder);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    return 2;
  }
  const { files, accepted, refused, differences } = result;
  for (const difference of differences) console.log(difference);
  console.log(
    `${files} files: ${accepted} accepted, ${refused} refused; ${differences.length} differences from the index`,
  );
  return differences.length === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
