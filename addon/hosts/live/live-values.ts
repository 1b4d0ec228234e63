import { isJsonObject } from "../../../core/text/json-object.ts";

// The one place that reads what Live gives: any getter may throw, where its object is dead, and a
// whole number may come as a BigInt.

/** What a getter gives; undefined where it throws. */
export function readIfAny<Value>(get: () => Value): Value | undefined {
  try {
    return get();
  } catch {
    return undefined;
  }
}

/** A number that Live gives as one or as a BigInt; undefined where there is none. */
export function readNumber(get: () => unknown): number | undefined {
  return numberOf(readIfAny(get));
}

/** As `readNumber`, of a value that is there already. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === "bigint" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

export function readText(get: () => unknown): string | undefined {
  const value = readIfAny(get);
  return typeof value === "string" ? value : undefined;
}

export function readFlag(get: () => unknown): boolean | undefined {
  const value = readIfAny(get);
  return typeof value === "boolean" ? value : undefined;
}

/** The entries of a list of Live's; none where it can't be read. */
export function readList<Entry>(get: () => readonly Entry[]): readonly Entry[] {
  return readIfAny(() => [...get()]) ?? [];
}

/**
 * The place of an object of Live's in a list; -1 where it is not found. Live may give new objects for
 * the same things with every read: then their handles tell, and without handles nothing does.
 */
export function placeIn(list: readonly object[], wanted: object): number {
  const place = list.indexOf(wanted);
  if (place !== -1) return place;
  const handle = handleOf(wanted);
  if (handle === undefined) return -1;
  return list.findIndex((entry) => handleOf(entry) === handle);
}

/** Whether an object is surely not in a list: it has a handle, and none of the list has that one. */
export function isGoneFrom(list: readonly object[], thing: object): boolean {
  return list.length > 0 && handleOf(thing) !== undefined && placeIn(list, thing) === -1;
}

/** Something to compare an object by: its handle, or the id in that; undefined where it has none. */
function handleOf(thing: object): unknown {
  const handle = readIfAny(() => ("handle" in thing ? thing.handle : undefined)) ?? undefined;
  return isJsonObject(handle) ? readIfAny(() => handle["id"]) : handle;
}
