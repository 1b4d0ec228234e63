import { isJsonObject } from "../text/json-object.ts";
import { parseJson } from "../text/parse-json.ts";

/** Number of stored turns; beyond that, the oldest of packages that aren't listed any more are dropped. */
const MAX_TURNS = 2000;

/** Turns by package id, counted from 0; the oldest first. */
export type TurnsByPackage = ReadonlyMap<string, number>;

/** An importer's rotation of package colors (rule T4). */
export interface StoredTurns {
  /** The next new package's turn. */
  readonly next: number;
  readonly turns: TurnsByPackage;
}

/**
 * Gives the next turns to packages that have none, in their order.
 * @param isListed whether a package is in a list: it keeps its turn, and so its color
 * @returns the same object where each has one
 */
export function takeTurns(
  stored: StoredTurns,
  packageIds: readonly string[],
  isListed: (packageId: string) => boolean,
): StoredTurns {
  const added = [...new Set(packageIds)].filter((id) => !stored.turns.has(id));
  if (added.length === 0) return stored;
  const taken = added.map((id, at): [string, number] => [id, stored.next + at]);
  const turns = new Map([...stored.turns, ...taken]);
  let surplus = turns.size - MAX_TURNS;
  const kept = surplus <= 0 ? turns : [...turns].filter(([id]) => isListed(id) || surplus-- <= 0);
  return { next: stored.next + added.length, turns: new Map(kept) };
}

export function formatTurns({ next, turns }: StoredTurns): string {
  return JSON.stringify({ next, turns: [...turns] });
}

/** Parses stored turns. Any other text restarts at turn 0: only colors are lost. */
export function parseTurns(text: string): StoredTurns {
  const value = parseJson(text);
  if (!isJsonObject(value) || !isTurn(value["next"]) || !Array.isArray(value["turns"])) {
    return { next: 0, turns: new Map() };
  }
  return { next: value["next"], turns: new Map(value["turns"].filter((entry) => isEntry(entry))) };
}

function isTurn(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isEntry(entry: unknown): entry is [string, number] {
  return Array.isArray(entry) && typeof entry[0] === "string" && isTurn(entry[1]);
}
