import { MAX_ID_LENGTH } from "../limits.ts";

/**
 * Assigns each sound a unique id (rule M7). The first sound to send an id keeps it; a sound without one
 * gets its 1-based position. Duplicates get `-2`, `-3` and so on, skipping every id that was sent. Ids
 * stay within `MAX_ID_LENGTH` code points.
 * @param sent the valid ids by sound, undefined for none
 */
export function assignIds(sent: readonly (string | undefined)[]): readonly string[] {
  const taken = new Set(sent);
  const kept = new Set<string>();
  return sent.map((id, index) => {
    if (id !== undefined && !kept.has(id)) {
      kept.add(id);
      return id;
    }
    const base = id ?? String(index + 1);
    const free = taken.has(base) ? freeId(base, taken) : base;
    taken.add(free);
    return free;
  });
}

function freeId(base: string, taken: ReadonlySet<string | undefined>): string {
  const characters = Array.from(base);
  for (let number = 2; ; number += 1) {
    const ending = `-${number}`;
    const id = characters.slice(0, MAX_ID_LENGTH - ending.length).join("") + ending;
    if (!taken.has(id)) return id;
  }
}
