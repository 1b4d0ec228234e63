import { expect, test } from "vitest";
import { inSetOrder } from "../../../../../addon/hosts/live/sdk/scene-and-tracks.ts";

/** A new object for a track, as with every read. */
function track(id: number) {
  return { handle: { id: BigInt(id) } };
}

test("[H1] tracks that were made together are sorted by their place in the Set", () => {
  const all = [track(1), track(9), track(7), track(2), track(8)];
  const made = [track(7), track(8), track(9)];
  expect(inSetOrder(made, all)).toEqual([track(9), track(7), track(8)]);
});

test("[H1] tracks without identity stay in the order of their creation", () => {
  const [one, other] = [{ name: "one" }, { name: "other" }];
  expect(inSetOrder([other, one], [{ ...one }, { ...other }])).toEqual([other, one]);
  expect(inSetOrder([one, other], [one])).toEqual([one, other]);
});
