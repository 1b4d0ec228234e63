import { freeBytes, withoutFirstBytes } from "../../../core/audio/byte-pieces.ts";
import { expect, test } from "vitest";

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
