import { expect, test } from "vitest";
import { beatLines, peaksOf, formatOutline } from "../../../core/audio/peaks.ts";
import { freeBytes, withoutFirstBytes } from "../../../core/audio/byte-pieces.ts";

test("[N6] takes the peak of each span across all channels", () => {
  const left = Float32Array.of(0, 0.5, -1, 0, 0, 0.25);
  const right = Float32Array.of(0, 0, 0, 0, -0.75, 0);
  expect(peaksOf([left, right], 3)).toEqual([0.5, 1, 0.75]);
  expect(peaksOf([Float32Array.of(3)], 160)).toEqual([1]);
  expect(peaksOf([new Float32Array(0)], 160)).toEqual([]);
  expect(peaksOf([], 160)).toEqual([]);
});

test("[N6] puts every sample in exactly one span, with spans as equal as possible", () => {
  const rising = Float32Array.from({ length: 10 }, (_, index) => (index + 1) / 16);
  expect(peaksOf([rising], 4)).toEqual([2 / 16, 5 / 16, 7 / 16, 10 / 16]);
  expect(peaksOf([rising], 10)).toEqual([...rising]);
  expect(peaksOf([rising], 400)).toEqual([...rising]);
});

test("[N6] uses the longest channel's spans for all channels", () => {
  expect(peaksOf([Float32Array.of(0.5), Float32Array.of(0, 0, 0, -0.25)], 2)).toEqual([0.5, 0.25]);
});

test("[N6] draws one mirrored path and keeps silence visible", () => {
  expect(formatOutline([], 100, 20)).toBe("");
  expect(formatOutline([1, 0, 0.5], 100, 20)).toBe("M0 0L50 9.5L100 5L100 15L50 10.5L0 20Z");
  expect(formatOutline([0.5], 100, 20)).toBe("M0 5L0 15Z");
  expect(formatOutline([1, 1, 1, 1], 100, 2)).toBe(
    "M0 0L33.33 0L66.67 0L100 0L100 2L66.67 2L33.33 2L0 2Z",
  );
});

test("[N6] draws beat lines, but none at the start or the end", () => {
  expect(beatLines(2, 120)).toEqual([0.25, 0.5, 0.75]);
  expect(beatLines(2.25, 120)).toHaveLength(4);
  expect(beatLines(0.25, 120)).toEqual([]);
  expect(beatLines(0.75, 120)).toEqual([2 / 3]);
  expect(beatLines(0.5, 120)).toEqual([]);
  // A file a little longer than its last beat has no line there.
  expect(beatLines(2.004, 120)).toHaveLength(3);
  expect(beatLines(3600, 120)).toEqual([]);
});

test("[N6] draws every fourth beat above 32 beats and none above 64 lines", () => {
  expect(beatLines(16, 120)).toHaveLength(31);
  const fourths = beatLines(20, 120);
  expect(fourths).toHaveLength(9);
  expect(fourths.slice(0, 2)).toEqual([0.1, 0.2]);
  expect(beatLines(130, 120)).toHaveLength(64);
  expect(beatLines(132, 120)).toEqual([]);
});

test("empties a chunk that owns its buffer, and can be called twice", () => {
  const piece = new Uint8Array(8);
  freeBytes(piece);
  freeBytes(piece);
  expect(piece.byteLength).toBe(0);
  expect(piece.buffer.detached).toBe(true);
});

test("leaves a view of a larger buffer alone", () => {
  const whole = Uint8Array.of(1, 2, 3);
  freeBytes(whole.subarray(1));
  expect([...whole]).toEqual([1, 2, 3]);
});

test("leaves shared memory alone", () => {
  const shared = new Uint8Array(new SharedArrayBuffer(4));
  freeBytes(shared);
  expect(shared.byteLength).toBe(4);
});

const PIECES = [new Uint8Array([1, 2, 3]), new Uint8Array(), new Uint8Array([4, 5])];

test("drops exactly the bytes that a short write wrote", () => {
  for (let written = 0; written <= 6; written += 1) {
    const left = Buffer.concat(withoutFirstBytes(PIECES, written));
    expect(left).toEqual(Buffer.from([1, 2, 3, 4, 5]).subarray(written));
  }
  expect(withoutFirstBytes(PIECES, 5)).toEqual([]);
});
