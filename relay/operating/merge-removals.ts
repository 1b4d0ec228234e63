import { OPPOSITES, parseRemoval, readLines, type Removal } from "../storage/removals-log.ts";

/** What was read of several logs. */
export interface MergedRemovals {
  readonly removals: readonly Removal[];
  /** Lines that can't be read, other than those that a crash cut short and that were written again. */
  readonly unreadable: number;
}

/**
 * Reads several logs of removals, each removal once. Of decisions that undo each other, the last one counts. Logs that
 * don't exist are empty.
 */
export function mergeRemovals(paths: readonly string[]): MergedRemovals {
  const removals = new Map<string, Removal>();
  const torn: string[] = [];
  for (const line of paths.flatMap((path) => [...readLines(path)])) {
    const removal = parseRemoval(line);
    if (removal === undefined) torn.push(line);
    else {
      const name = `${OPPOSITES[removal.kind] ?? removal.kind} ${removal.id}`;
      if (!isBefore(removal, removals.get(name))) removals.set(name, removal);
    }
  }
  const whole = [...removals.values()];
  const isWrittenAgain = (line: string) =>
    whole.some((removal) => JSON.stringify(removal).startsWith(line));
  return { removals: whole, unreadable: torn.filter((line) => !isWrittenAgain(line)).length };
}

function isBefore(one: Removal, other: Removal | undefined): boolean {
  if (other === undefined) return false;
  return one.at < other.at || (one.at === other.at && one.seq < other.seq);
}
