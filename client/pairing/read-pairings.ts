import { isJsonObject } from "../../core/text/json-object.ts";
import type { Pairing } from "./pairings.ts";

/** The pairings in a stored JSON value; skips entries that are not pairings. */
export function readPairings(stored: unknown): readonly Pairing[] {
  if (!Array.isArray(stored)) return [];
  return stored.filter(isPairing);
}

function isPairing(value: unknown): value is Pairing {
  return (
    isJsonObject(value) &&
    ["relayUrl", "deviceName", "token"].every((member) => typeof value[member] === "string")
  );
}
