import { readFile, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { listFiles, writeFileAtomically } from "../disk/atomic-file.ts";
import { JOURNAL_ENDING, readJournalText, shortenJournal } from "./journal-lines.ts";

/** Minimum age of a pruned journal: relays have deleted its package by then. */
const MIN_AGE_MS = 90 * 86_400_000;

/**
 * Prunes journals last written 90 days ago or earlier (rule R8): removes those of relay packages
 * without an unfinished step, and compacts the others. Safe to interrupt. No run may be active meanwhile.
 * @param kept names of journals that are only compacted
 */
export async function pruneJournals(
  folder: string,
  nowMs: number,
  kept: ReadonlySet<string>,
): Promise<void> {
  for (const name of await listFiles(folder)) {
    // A journal that can't be changed only takes space.
    await pruneJournal(join(folder, name), nowMs, kept).catch(() => undefined);
  }
}

async function pruneJournal(path: string, nowMs: number, kept: ReadonlySet<string>): Promise<void> {
  const name = basename(path);
  const { mtimeMs } = await stat(path);
  if (nowMs - mtimeMs < MIN_AGE_MS) return;
  const text = await readFile(path, "utf8");
  if (!kept.has(name) && canRemove(name, text)) return rm(path);
  const short = shortenJournal(text, mtimeMs);
  if (short.length < text.length) await writeFileAtomically(path, short);
}

function canRemove(name: string, text: string): boolean {
  // A temporary file of an interrupted atomic write.
  if (!name.endsWith(JOURNAL_ENDING)) return true;
  if (name.startsWith("local_")) return false;
  const { unfinished } = readJournalText(text);
  return [...unfinished.values()].every(({ steps }) => steps.length === 0);
}
