import assert from "node:assert/strict";

/** Compares deeply. `node:util` is not everywhere where stores are tested. */
export function isEqual(one: unknown, other: unknown): boolean {
  try {
    assert.deepEqual(one, other);
    return true;
  } catch {
    return false;
  }
}
