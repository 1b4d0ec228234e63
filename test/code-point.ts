import * as fc from "fast-check";

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

/**
 * Draws the same characters as `unit: "binary"` of fast-check, which first makes a table of all million of them: two
 * seconds of processor time in each worker.
 */
export const CODE_POINT: fc.Arbitrary<string> = fc
  .nat({ max: 0x10_ffff - SURROGATES })
  .map(
    (index) => String.fromCodePoint(index < FIRST_SURROGATE ? index : index + SURROGATES),
    indexOf,
  );

function indexOf(text: unknown): number {
  const point = typeof text === "string" ? text.codePointAt(0) : undefined;
  if (point === undefined || text !== String.fromCodePoint(point)) throw new Error("Not one.");
  if (point < FIRST_SURROGATE) return point;
  if (point < FIRST_SURROGATE + SURROGATES) throw new Error("Half a character.");
  return point - SURROGATES;
}
