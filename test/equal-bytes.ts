import { expect } from "vitest";

/** Marks a worker in which an earlier file added the tester. */
const ADDED = Symbol.for("soundferry: equal bytes");

// Vitest loads this file before each file of tests. Its own comparison makes a list of the numbers of all bytes.
if (!(ADDED in globalThis)) {
  Object.assign(globalThis, { [ADDED]: true });
  expect.addEqualityTesters([haveEqualBytes]);
}

/** Leaves it to Vitest to find what differs. */
function haveEqualBytes(one: unknown, other: unknown): true | undefined {
  if (!(one instanceof Uint8Array) || !(other instanceof Uint8Array)) return undefined;
  return one.constructor === other.constructor && Buffer.compare(one, other) === 0
    ? true
    : undefined;
}
