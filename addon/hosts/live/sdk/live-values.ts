import { isJsonObject } from "../../../../core/text/json-object.ts";

// The only place that reads Live's values: a getter throws when its object is stale, and an integer may
// be a BigInt.

/** Reads a value; returns undefined where the getter throws. */
export function readIfAny<Value>(get: () => Value): Value | undefined {
  try {
    return get();
  } catch {
    return undefined;
  }
}

/** Reads a number or BigInt as a number; returns undefined for anything else. */
export function readNumber(get: () => unknown): number | undefined {
  return numberOf(readIfAny(get));
}

/** Returns a value as a number, like `readNumber`. */
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

/** Reads a list; returns an empty one where the getter throws. */
export function readList<Entry>(get: () => readonly Entry[]): readonly Entry[] {
  return readIfAny(() => [...get()]) ?? [];
}

/** Returns an object's index in a list, or -1. Compares handles where Live returns new objects for the same things. */
export function placeIn(list: readonly object[], wanted: object): number {
  const place = list.indexOf(wanted);
  if (place !== -1) return place;
  const handle = handleOf(wanted);
  if (handle === undefined) return -1;
  return list.findIndex((entry) => handleOf(entry) === handle);
}

/** Checks whether an object is surely not in a list: it has a handle that no entry has. */
export function isGoneFrom(list: readonly object[], thing: object): boolean {
  return list.length > 0 && handleOf(thing) !== undefined && placeIn(list, thing) === -1;
}

/** Returns the identity of an object: its handle, or the handle's id. */
function handleOf(thing: object): unknown {
  const handle = readIfAny(() => ("handle" in thing ? thing.handle : undefined)) ?? undefined;
  return isJsonObject(handle) ? readIfAny(() => handle["id"]) : handle;
}
