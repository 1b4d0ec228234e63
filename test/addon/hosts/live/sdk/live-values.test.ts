import { describe, expect, test } from "vitest";
import {
  isGoneFrom,
  placeIn,
  readFlag,
  readList,
  readNumber,
  readText,
} from "../../../../../addon/hosts/live/sdk/live-values.ts";

function dead(): never {
  throw new Error("This object is stale.");
}

test("[H4] a number is read from a number or a BigInt, and from nothing else", () => {
  expect(readNumber(() => 0xff94a6n)).toBe(0xff94a6);
  expect(readNumber(() => 0.85)).toBe(0.85);
  for (const other of [NaN, Infinity, "1", null, undefined, {}, true]) {
    expect(readNumber(() => other)).toBeUndefined();
  }
});

test("[H4] values of stale objects are left out", () => {
  expect(readNumber(dead)).toBeUndefined();
  expect(readText(dead)).toBeUndefined();
  expect(readFlag(dead)).toBeUndefined();
  expect(readList(dead)).toEqual([]);
});

test("[H4] a text is a text, a flag is a flag", () => {
  expect([readText(() => ""), readText(() => 1)]).toEqual(["", undefined]);
  expect([readFlag(() => false), readFlag(() => 0)]).toEqual([false, undefined]);
});

describe("an object of Live's is found in a list", () => {
  test("[H1] by identity", () => {
    const [one, other] = [{}, {}];
    expect(placeIn([one, other], other)).toBe(1);
  });

  test.each([
    [7n, 8n, 8n],
    ["a", "b", "b"],
    [{ id: 7n }, { id: 8n }, { id: 8n }],
  ])("[H1] by its handle: %o, %o", (one, other, wanted) => {
    expect(placeIn([{ handle: one }, { handle: other }], { handle: wanted })).toBe(1);
  });

  test("[H1] is not mistaken for another one without handles", () => {
    expect(placeIn([{}, {}], {})).toBe(-1);
    expect(placeIn([{ handle: null }], { handle: null })).toBe(-1);
    expect(placeIn([{ handle: {} }], { handle: {} })).toBe(-1);
    expect(placeIn([{ handle: 1 }], { handle: 2 })).toBe(-1);
  });

  test("[H1] also after a stale one", () => {
    const corpse = {
      get handle(): never {
        return dead();
      },
    };
    expect(placeIn([corpse, { handle: 3 }], { handle: 3 })).toBe(1);
    expect(placeIn([{ handle: 3 }], corpse)).toBe(-1);
  });
});

test("[H7] an object counts as gone only where handles tell", () => {
  const [one, other] = [{ handle: { id: 1n } }, { handle: { id: 2n } }];
  expect(isGoneFrom([{ ...one }], other)).toBe(true);
  expect(isGoneFrom([{ ...one }], one)).toBe(false);
  for (const list of [[], [{}]]) expect(isGoneFrom(list, {})).toBe(false);
  expect(isGoneFrom([], one)).toBe(false);
});
