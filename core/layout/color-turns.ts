/** Number of stored turns; beyond that, the oldest of packages that aren't listed any more are dropped. */
const MAX_TURNS = 2000;

/** Turns by package id, counted from 0; the oldest first. */
export type TurnsByPackage = ReadonlyMap<string, number>;

/** The rotation of package colors (rule T4), as an importer stores it. */
export interface StoredTurns {
  /** The next new package's turn. */
  readonly next: number;
  readonly turns: TurnsByPackage;
}

/**
 * Gives a turn to each of these packages that has none, in their order; the same object if all have one.
 * @param isListed whether a package is in a list now: it keeps its turn, and so its color
 */
export function takeTurns(
  stored: StoredTurns,
  packageIds: readonly string[],
  isListed: (packageId: string) => boolean,
): StoredTurns {
  const added = [...new Set(packageIds)].filter((id) => !stored.turns.has(id));
  if (added.length === 0) return stored;
  const turns = new Map(stored.turns);
  for (const [at, id] of added.entries()) turns.set(id, stored.next + at);
  let surplus = turns.size - MAX_TURNS;
  const isKept = ([id]: readonly [string, number]) => isListed(id) || surplus-- <= 0;
  const next = stored.next + added.length;
  return { next, turns: surplus <= 0 ? turns : new Map([...turns].filter(isKept)) };
}
