/** The largest share of a name that may be mistyped. */
const MISTYPED = 0.45;
const MOST_MISTAKES = 3;

/** The name that was probably meant, by its last word; undefined if none is near. The first of equals wins. */
export function nearestOf(word: string, names: readonly string[]): string | undefined {
  const typed = word.toLowerCase();
  const [nearest] = names
    .map((name) => ({ name, mistakes: mistakesIn(typed, name.split(" ").at(-1) ?? name) }))
    .filter(({ name, mistakes }) => mistakes <= mistakesAllowed(typed, name))
    .toSorted((one, other) => one.mistakes - other.mistakes);
  return nearest?.name;
}

function mistakesAllowed(typed: string, name: string): number {
  const letters = Math.max(typed.length, (name.split(" ").at(-1) ?? name).length);
  return Math.min(MOST_MISTAKES, Math.floor(letters * MISTYPED));
}

/** Counts the letters to insert, delete, replace or swap with their neighbor (optimal string alignment distance). */
export function mistakesIn(typed: string, name: string): number {
  const rows: number[][] = [Array.from({ length: name.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= typed.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= name.length; j += 1) {
      const isSame = typed[i - 1] === name[j - 1];
      const isSwapped = typed[i - 1] === name[j - 2] && typed[i - 2] === name[j - 1];
      row.push(
        Math.min(
          cost(row, j - 1) + 1,
          cost(rows[i - 1], j) + 1,
          cost(rows[i - 1], j - 1) + (isSame ? 0 : 1),
          isSwapped ? cost(rows[i - 2], j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    rows.push(row);
  }
  return cost(rows.at(-1), name.length);
}

function cost(row: readonly number[] | undefined, at: number): number {
  return row?.[at] ?? Number.POSITIVE_INFINITY;
}
