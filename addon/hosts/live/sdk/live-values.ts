import { isJsonObject } from "../../../../core/text/json-object.ts";

// The only place that reads Live's values: a getter throws when its object is stale, and an integer may
// be a BigInt.

/** Returns undefined where the getter throws. */
export function readIfAny<Value>(get: () => Value): Value | undefined {
  try {
    return get();
  } catch {
    return undefined;
  }
}

/** Returns a number or BigInt as a number; undefined for anything else. */
export function readNumber(get: () => unknown): number | undefined {
  return numberOf(readIfAny(get));
}

/** Like `readNumber`, for a value. */
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

/** Returns an empty list where the getter throws. */
export function readList<Entry>(get: () => readonly Entry[]): readonly Entry[] {
  return readIfAny(() => [...get()]) ?? [];
}

/** Returns an object's index in a list, or -1. Live may return new objects for the same things: then it compares handles. */
export function placeIn(list: readonly object[], wanted: object): number {
  const place = list.indexOf(wanted);
  if (place !== -1) return place;
  const handle = handleOf(wanted);
  if (handle === undefined) return -1;
  return list.findIndex((entry) => handleOf(entry) === handle);
}

/** Returns whether an object is surely not in a list: it has a handle that no entry has. */
export function isGoneFrom(list: readonly object[], thing: object): boolean {
  return list.length > 0 && handleOf(thing) !== undefined && placeIn(list, thing) === -1;
}

/** Returns an object's identity: its handle, or the handle's id. */
function handleOf(thing: object): unknown {
  const handle = readIfAny(() => ("handle" in thing ? thing.handle : undefined)) ?? undefined;
  return isJsonObject(handle) ? readIfAny(() => handle["id"]) : handle;
}
