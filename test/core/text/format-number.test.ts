import { expect, test } from "vitest";
import { formatNumber } from "../../../core/text/format-number.ts";

test.each([
  [0, "0"],
  [120, "120"],
  [93.75, "93.75"],
  [100.809073, "100.809"],
  [7.9996, "8"],
  [0.0005, "0.001"],
  [0.00002083, "0.00002"],
])("formats %d as %s", (n, text) => {
  expect(formatNumber(n)).toBe(text);
});

test.each([
  [1.25, 1, "1.3"],
  [2.04, 1, "2"],
  [0.04, 1, "0.04"],
  [7.6, 0, "8"],
])("formats %d with at most %d decimals as %s", (n, decimals, text) => {
  expect(formatNumber(n, decimals)).toBe(text);
});
