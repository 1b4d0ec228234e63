import { expect, test } from "vitest";

const BYTES = Buffer.from([1, 2, 3]);

test("bytes are equal if they are the same and of one type, also within an object", () => {
  expect(BYTES).toEqual(Buffer.from([1, 2, 3]));
  expect({ body: BYTES }).toStrictEqual({ body: Buffer.from([1, 2, 3]) });
  expect(BYTES).not.toEqual(Buffer.from([1, 2, 4]));
  expect(BYTES).not.toEqual(Buffer.from([1, 2]));
  expect({ body: BYTES }).not.toEqual({ body: Buffer.from([1, 2, 3, 0]) });
  expect(BYTES).not.toEqual(new Uint8Array([1, 2, 3]));
  expect(new Uint8Array([1, 2, 3])).toEqual(new Uint8Array([1, 2, 3]));
});

test("a comparison of eight million bytes makes no list of them", () => {
  const keys = Object.keys;
  const lengths: number[] = [];
  Object.keys = (value: object) => {
    if (value instanceof Uint8Array) lengths.push(value.length);
    return keys(value);
  };
  try {
    expect(Buffer.alloc(8_000_000)).toEqual(Buffer.alloc(8_000_000));
  } finally {
    Object.keys = keys;
  }
  expect(lengths).toEqual([]);
});
