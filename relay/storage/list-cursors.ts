import { number, type Row } from "./rows.ts";

// Cursors that any database's rows make: where a list continues, by a time and the order of insertion.

/** A place in an app's own list, newest first. */
export interface OwnPlace {
  readonly at: number;
  readonly place: number;
}

/** A place in a device's list. It lists what waited when it began, then what was reported before. */
export interface ImportablePlace extends OwnPlace {
  /** The last first report before the list began. */
  readonly began: number;
  readonly isWaiting: boolean;
}

/** Before the first of any list. */
export const TOP: OwnPlace = { at: Number.MAX_SAFE_INTEGER, place: Number.MAX_SAFE_INTEGER };

export function ownCursorOf(row: Row): string {
  return `${number(row["created_at"])}-${number(row["place"])}`;
}

/** undefined for a cursor that is none. */
export function parseOwnCursor(cursor: string): OwnPlace | undefined {
  const [, at, place] = /^(\d{1,15})-(\d{1,15})$/.exec(cursor) ?? [];
  return at === undefined || place === undefined
    ? undefined
    : { at: Number(at), place: Number(place) };
}

export function importableCursorOf(
  row: Row,
  { began, isWaiting }: Pick<ImportablePlace, "began" | "isWaiting">,
): string {
  const place = [began, number(row["committed_at"]), number(row["place"])];
  return [isWaiting ? "w" : "r", ...place].join("-");
}

/** undefined for a cursor that is none. */
export function parseImportableCursor(cursor: string): ImportablePlace | undefined {
  const [, list, ...places] = /^([wr])-(\d{1,15})-(\d{1,15})-(\d{1,15})$/.exec(cursor) ?? [];
  const [began, at, place] = places.map(Number);
  if (began === undefined || at === undefined || place === undefined) return undefined;
  return { began, isWaiting: list === "w", at, place };
}
