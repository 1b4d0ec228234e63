import { ask, type Bound, type Values, type Work } from "../storage/records/statement.ts";

/** One page of a list, in the order of its ids. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Id after which the list continues; null at the end. */
  readonly next: string | null;
}

/** The position and size of a page. */
export interface PageOf {
  /** Id, or number of the log, after which the page begins; at the start without it. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/**
 * Reads a page.
 * @param bind binds `:after`, a text, and `:limit`. The first column of its rows is the id
 */
export function* readPage<Stored extends object, Item>(
  { after = "", limit }: PageOf,
  bind: (values: Values & { readonly after: string }) => Bound<Stored>,
  itemOf: (row: Stored) => Item,
): Work<Page<Item>> {
  const rows = yield* ask(bind({ after, limit: limit + 1 }));
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next = rows.length > limit && last !== undefined ? String(Object.values(last)[0]) : null;
  return { items: shown.map(itemOf), next };
}

type IsTime<Name> = Name extends "at" | `${string}_at` ? true : false;

/** The row of an item: its times are numbers, milliseconds since 1970. */
export type Stored<Item> = {
  readonly [Name in keyof Item]: IsTime<Name> extends true
    ? number | Extract<Item[Name], null>
    : Item[Name];
};

/** Formats the times of a row as UTC: of its columns `at` and `…_at`. */
export function withTimes<Item>(row: Stored<Item>): Item {
  const entries = Object.entries(row).map(([name, value]) => {
    const isTime = /(^|_)at$/.test(name) && typeof value === "number";
    return [name, isTime ? timeOf(value) : value];
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fromEntries forgets the columns; they are the row's
  return Object.fromEntries(entries) as Item;
}

/** Formats milliseconds since 1970 as UTC. */
export function timeOf(time: number): string {
  return new Date(time).toISOString();
}
