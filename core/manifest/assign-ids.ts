import { MAX_ID_LENGTH } from "../limits.ts";

/**
 * Gives each sound an id of its own (rule M7). The first sound that sent an id keeps it; a sound without
 * one gets its position, counted from 1; where that is taken, and for a repeat, `-2`, `-3` and so on is
 * added. No id is made that any sound sent, and none is longer than `MAX_ID_LENGTH` code points.
 * @param sent the good ids that were sent, undefined where a sound has none
 */
export function assignIds(sent: readonly (string | undefined)[]): readonly string[] {
  const taken = new Set(sent);
  const kept = new Set<string>();
  return sent.map((id, index) => {
    if (id !== undefined && !kept.has(id)) {
      kept.add(id);
      return id;
    }
    const wanted = id ?? String(index + 1);
    const free = taken.has(wanted) ? freeId(wanted, taken) : wanted;
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
