import { expect, test } from "vitest";
import { Turns } from "../../../../relay/domain/admission/turns.ts";

/** Work of a millisecond each, on a clock that only it moves. */
function setUp() {
  let time = 0;
  const turns = new Turns(() => time);
  const order: string[] = [];
  const work = (name: string) => async () => void ((time += 1), order.push(name));
  return { turns, order, work };
}

test("[L6] work in turns leaves each turn of the event loop to others after a slice", async () => {
  const { turns, order, work } = setUp();
  const all = Array.from({ length: 9 }, (_, index) => turns.take(work(`${index}`)));
  const others = async () => {
    while (order.length < 13) {
      order.push("-");
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await Promise.all([...all, others()]);
  expect(order.filter((name) => name !== "-")).toEqual("012345678".split(""));
  // After each two of them comes somebody else.
  expect(order.join("")).not.toMatch(/\d{3}/);
});

test("[L6] two who take turns again and again get as many each", async () => {
  const { turns, order, work } = setUp();
  const reader = async (name: string) => {
    for (let piece = 0; piece < 20; piece += 1) await turns.take(work(name));
  };
  await Promise.all([reader("a"), reader("b")]);
  expect(order.join("")).toMatch(/^(ab|ba)+$/);
});

test("[L6] work that waits or fails keeps nobody", async () => {
  const { turns, order, work } = setUp();
  const failing = expect(
    turns.take(async () => {
      throw new Error("Gone.");
    }),
  ).rejects.toThrow("Gone.");
  const { promise, resolve } = Promise.withResolvers<void>();
  const waiting = turns.take(() => promise);
  await turns.take(work("a"));
  resolve();
  await failing;
  await waiting;
  expect(order).toEqual(["a"]);
});
