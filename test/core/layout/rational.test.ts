import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  compare,
  distance,
  divide,
  multiply,
  nearestWhole,
  ratio,
  rationalOf,
  toNumber,
} from "../../../core/layout/rational.ts";

describe("a number as a fraction", () => {
  test.each([
    [0, 0n, 1n],
    [7, 7n, 1n],
    [0.1, 1n, 10n],
    [120.25, 12_025n, 100n],
    [1e21, 10n ** 21n, 1n],
    [1.5e-7, 15n, 10n ** 8n],
    [5e-324, 5n, 10n ** 324n],
  ])("[T2] %d is the decimal that prints it", (n, numerator, denominator) => {
    expect(compare(rationalOf(n), { numerator, denominator })).toBe(0);
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])("%d is refused", (n) => {
    expect(() => rationalOf(n)).toThrow(
      new RangeError(`${n} is not a finite number of 0 or above.`),
    );
  });

  test("[T2] every number survives the round trip", () => {
    const numbers = fc.double({ min: 1e-280, noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(numbers, (n) => {
        expect(toNumber(rationalOf(n))).toBe(n);
      }),
    );
  });
});

test("a fraction becomes the nearest number", () => {
  const counts = fc.integer({ min: 1 });
  fc.assert(
    fc.property(counts, counts, (a, b) => {
      expect(toNumber(ratio(a, b))).toBe(a / b);
    }),
  );
  // Halfway between 2^53 and the next number goes to the even one; a hair above it goes up.
  expect(toNumber({ numerator: 2n ** 53n + 1n, denominator: 1n })).toBe(2 ** 53);
  expect(toNumber({ numerator: (2n ** 53n + 1n) * 10n ** 40n + 1n, denominator: 10n ** 40n })).toBe(
    2 ** 53 + 2,
  );
  expect(toNumber(rationalOf(0))).toBe(0);
});

test("[T2] avoids floating-point errors", () => {
  expect(compare(distance(rationalOf(4), rationalOf(3.9)), rationalOf(0.1))).toBe(0);
  expect(compare(distance(rationalOf(3.9), rationalOf(4)), rationalOf(0.1))).toBe(0);
  expect(compare(multiply(rationalOf(0.1), rationalOf(3)), rationalOf(0.3))).toBe(0);
  expect(compare(divide(rationalOf(0.3), rationalOf(3)), rationalOf(0.1))).toBe(0);
});

test("fractions are ordered", () => {
  expect(compare(ratio(1, 3), rationalOf(0.3333333))).toBe(1);
  expect(compare(rationalOf(0.3333333), ratio(1, 3))).toBe(-1);
});

test.each([
  [0.49, 0],
  [0.5, 1],
  [3.9, 4],
  [4.1, 4],
])("%d rounds to %d", (n, whole) => {
  expect(toNumber(nearestWhole(rationalOf(n)))).toBe(whole);
});

test("division by 0 throws", () => {
  expect(() => ratio(1, 0)).toThrow(new RangeError("Nothing can be divided by 0."));
});
