import { expect, test } from "vitest";
import { freeBytes } from "../../../core/audio/byte-pieces.ts";

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
