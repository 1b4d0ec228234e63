import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isMissing, readTextIfAny, writeFileAtomically } from "../disk/atomic-file.ts";
import { JOURNAL_ENDING, readJournalText, shortenJournal } from "./journal-lines.ts";

/** For so long nothing was written in a journal that is pruned: relays have lost their packages by then. */
const KEPT_MS = 90 * 86_400_000;

/**
 * Makes room in the folder of the journals (rule R8): of those in which nothing was written for 90
 * days it removes the ones of relays' packages that left nothing half-way, and shortens the others. A
 * crash leaves each as it was or pruned. Nobody may write in them meanwhile.
 */
export async function pruneJournals(folder: string, nowMs: number): Promise<void> {
  for (const name of await listFiles(folder)) {
    // One that the disk will not change takes its room, and harms nothing.
    await pruneJournal(folder, name, nowMs).catch(() => undefined);
  }
}

async function pruneJournal(folder: string, name: string, nowMs: number): Promise<void> {
  const path = join(folder, name);
  const { mtimeMs } = await stat(path);
  if (nowMs - mtimeMs < KEPT_MS) return;
  const text = (await readTextIfAny(path)) ?? "";
  if (canRemove(name, text)) return rm(path);
  const short = shortenJournal(text, mtimeMs);
  if (short.length < text.length) await writeFileAtomically(path, short);
}

function canRemove(name: string, text: string): boolean {
  // What a crash left of a journal that was being replaced.
  if (!name.endsWith(JOURNAL_ENDING)) return true;
  if (name.startsWith("local_")) return false;
  const { unfinished } = readJournalText(text);
  return [...unfinished.values()].every(({ steps }) => steps.length === 0);
}

async function listFiles(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
