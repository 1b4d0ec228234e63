import { MAX_NAME_LENGTH } from "../limits.ts";
import { cleanName } from "../text/clean-name.ts";
import { clashKey } from "../text/file-name.ts";

/** Names for sounds from their titles, in their order: the second of two gets ` 2`, and so on (rule Y4). */
export function uniqueNames(titles: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  // What is unique already keeps its name, wherever it stands.
  const own = new Set(titles.map(clashKey));
  return titles.map((title) => {
    const name = freeName(
      title,
      (key) => taken.has(key) || (key !== clashKey(title) && own.has(key)),
    );
    taken.add(clashKey(name));
    return name;
  });
}

function freeName(title: string, isTaken: (key: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? "" : ` ${number}`;
    const room = MAX_NAME_LENGTH - ending.length;
    const name = cleanName(Array.from(title).slice(0, room).join("")) + ending;
    if (!isTaken(clashKey(name))) return name;
  }
}
