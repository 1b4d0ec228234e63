import { expect, test } from "vitest";
import { SharedRing } from "../../../program/hashing/shared-ring.ts";

/** Both ends of a ring, each as its own thread sees it. */
function bothEnds() {
  const writer = new SharedRing();
  return { writer, slots: new SharedRing(writer.memory).slots() };
}

test("[U12] a ring hands over bytes and ends in their order, and its counters may wrap", () => {
  const { writer, slots } = bothEnds();
  // Both counters stand just before the largest number.
  const counters = new Int32Array(writer.memory, 0, 2);
  counters.fill(0x7f_ff_ff_fe);
  for (let turn = 0; turn < 300; turn += 1) {
    expect(writer.putBytes(turn, Uint8Array.of(turn, 1, 2), 1)).toBe(2);
    writer.putEnd(turn, turn % 2 === 0 ? "end" : "drop");
    expect(slots.next().value).toEqual({ id: turn, kind: "bytes", bytes: Uint8Array.of(1, 2) });
    const kind = turn % 2 === 0 ? "end" : "drop";
    expect(slots.next().value).toEqual({ id: turn, kind, bytes: new Uint8Array() });
  }
});

test("[U12] a ring never has more than its slots, and a slot is free only once the reader goes on", async () => {
  const { writer, slots } = bothEnds();
  const piece = new Uint8Array(10 * 1024 ** 2);
  let copied = 0;
  while (writer.freeSlots > 0) copied += writer.putBytes(1, piece, copied);
  expect(copied).toBe(4 * 1024 ** 2);
  slots.next();
  expect(writer.freeSlots).toBe(0);
  slots.next();
  expect(writer.freeSlots).toBe(1);
  let isFree = false;
  const emptied = writer.emptied().then(() => (isFree = true));
  for (let slot = 2; slot < 32; slot += 1) slots.next();
  await Promise.resolve();
  expect([writer.freeSlots, isFree]).toEqual([31, false]);
  slots.next();
  await emptied;
  expect(writer.isHalfFree).toBe(true);
});
