import { expect, test } from "vitest";
import { freeBytes } from "../../../core/wav/free-bytes.ts";

test("a piece with memory of its own is empty afterwards, and may be freed again", () => {
  const piece = new Uint8Array(8);
  freeBytes(piece);
  freeBytes(piece);
  expect(piece.byteLength).toBe(0);
  expect(piece.buffer.detached).toBe(true);
});

test("a part of a larger piece is left alone, and so is the rest", () => {
  const whole = Uint8Array.of(1, 2, 3);
  freeBytes(whole.subarray(1));
  expect([...whole]).toEqual([1, 2, 3]);
});

test("memory that threads share is left alone", () => {
  const shared = new Uint8Array(new SharedArrayBuffer(4));
  freeBytes(shared);
  expect(shared.byteLength).toBe(4);
});
