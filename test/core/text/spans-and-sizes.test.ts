import { inEnglish } from "../../../core/messages/translate.ts";
import { formatBytes, formatNumber } from "../../../core/text/format-number.ts";
import { formatDuration, formatSpan } from "../../../core/text/format-span.ts";
import { expect, test } from "vitest";

test.each([
  [-1, "0 s"],
  [59.9, "59 s"],
  [60, "1 min"],
  [3599, "59 min"],
  [3600, "1 h"],
  [3660, "1 h 1 min"],
  [7200, "2 h"],
  [84_900, "23 h 35 min"],
])("a span of %d s has at most two units: %s", (seconds, text) => {
  expect(formatSpan(inEnglish, seconds)).toBe(text);
});

test.each([
  [0, "0.1 s"],
  [0.44, "0.4 s"],
  [9.94, "9.9 s"],
  [10, "10 s"],
  [12.4, "12 s"],
  [59.4, "59 s"],
  [60, "1:00"],
  [185.9, "3:05"],
  [3600, "60:00"],
])("a sound of %d s lasts %s", (seconds, text) => {
  expect(formatDuration(inEnglish, seconds)).toBe(text);
});

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1 kB"],
  [999_499, "999 kB"],
  [999_500, "1 MB"],
  [48_300_000, "48.3 MB"],
  [999_949_999, "999.9 MB"],
  [999_950_000, "1 GB"],
  [1_250_000_000, "1.3 GB"],
])("%d bytes are %s", (bytes, text) => {
  expect(formatBytes(inEnglish, bytes)).toBe(text);
});

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
