import { expect, test } from "vitest";
import { withoutFirstBytes } from "../../../core/audio/byte-pieces.ts";

const PIECES = [new Uint8Array([1, 2, 3]), new Uint8Array(), new Uint8Array([4, 5])];

test("drops exactly the bytes that a short write wrote", () => {
  for (let written = 0; written <= 6; written += 1) {
    const left = Buffer.concat(withoutFirstBytes(PIECES, written));
    expect(left).toEqual(Buffer.from([1, 2, 3, 4, 5]).subarray(written));
  }
  expect(withoutFirstBytes(PIECES, 5)).toEqual([]);
});
