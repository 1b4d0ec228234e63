import { type ClipRow, type ClipSelection, NO_SELECTION } from "./clip-row.ts";

type Rows = readonly Pick<ClipRow, "key">[];

/** Selects one row and nothing else. */
export function selectOne(key: string): ClipSelection {
  return { keys: new Set([key]), active: key };
}

/** Selects all rows; the active one stays active. */
export function selectAll(rows: Rows, { active }: ClipSelection): ClipSelection {
  return { keys: new Set(rows.map(({ key }) => key)), active: active ?? rows[0]?.key ?? null };
}

/** Selects the rows from an anchor to a row, which becomes the active one; without a usable anchor, that row only. */
export function selectRange(rows: Rows, anchor: string | null, key: string): ClipSelection {
  const from = rows.findIndex((row) => row.key === anchor);
  const to = rows.findIndex((row) => row.key === key);
  if (from === -1 || to === -1) return selectOne(key);
  const range = rows.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { keys: new Set(range.map((row) => row.key)), active: key };
}

/** Adds a row to the selection, or removes it. */
export function toggleOne({ keys }: ClipSelection, key: string): ClipSelection {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return { keys: next, active: key };
}

/**
 * Drops rows that are gone from the selection. When the active row is gone, the row now in its place becomes active,
 * and selected if nothing else is. Returns the same object if nothing changes.
 * @param before the rows that the selection was made in
 */
export function keepSelection(selection: ClipSelection, rows: Rows, before: Rows): ClipSelection {
  const { keys, active } = selection;
  const there = new Set(rows.map(({ key }) => key));
  const kept = [...keys].filter((key) => there.has(key));
  if (kept.length === keys.size && (active === null || there.has(active))) return selection;
  if (active === null || there.has(active)) return { keys: new Set(kept), active };
  const place = before.findIndex(({ key }) => key === active);
  const rest = before.slice(place + 1).find(({ key }) => there.has(key))?.key;
  const next =
    rest ?? before.slice(0, Math.max(0, place)).findLast(({ key }) => there.has(key))?.key;
  if (next === undefined) return NO_SELECTION;
  return { keys: new Set(kept.length === 0 ? [next] : kept), active: next };
}
