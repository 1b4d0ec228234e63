import { expect, test } from "vitest";
import { forEachConcurrently } from "../../../addon/packages/for-each-concurrently.ts";

const never = new AbortController().signal;
const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

test("items start in their order, and no more than the limit run at once", async () => {
  const started: number[] = [];
  let running = 0;
  let most = 0;
  const work = async (item: number) => {
    started.push(item);
    most = Math.max(most, (running += 1));
    await turn();
    running -= 1;
  };
  await forEachConcurrently([1, 2, 3, 4, 5, 6, 7], never, work, 3);
  expect({ started, most }).toEqual({ started: [1, 2, 3, 4, 5, 6, 7], most: 3 });
});

test("the first failure aborts the others, starts none after it, and is thrown once nothing runs", async () => {
  const seen: string[] = [];
  const failure = new Error("The second one is broken.");
  const run = forEachConcurrently(
    [1, 2, 3, 4],
    never,
    async (item, { signal, alongside }) => {
      seen.push(`${item} starts`);
      if (item === 2) throw failure;
      alongside(turn().then(() => void seen.push(`beside ${item} ends`)));
      await turn();
      seen.push(`${item} ends, ${signal.reason === failure ? "aborted" : "not aborted"}`);
    },
    2,
  );
  await expect(run).rejects.toBe(failure);
  expect(seen).toEqual(["1 starts", "2 starts", "beside 1 ends", "1 ends, aborted"]);
});

test("what fails alongside stops the rest too", async () => {
  const failure = new Error("The disk is full.");
  const started: number[] = [];
  const run = forEachConcurrently(
    [1, 2, 3],
    never,
    async (item, { alongside }) => {
      started.push(item);
      alongside(Promise.reject(failure));
      await turn();
    },
    1,
  );
  await expect(run).rejects.toBe(failure);
  expect(started).toEqual([1]);
});

test("the caller's signal ends it with its reason, also before the first item", async () => {
  const reason = new Error("Cancelled.");
  const stop = new AbortController();
  const started: number[] = [];
  const work = async (item: number) => {
    started.push(item);
    if (item === 1) stop.abort(reason);
  };
  await expect(forEachConcurrently([1, 2], stop.signal, work, 1)).rejects.toBe(reason);
  await expect(forEachConcurrently([3], stop.signal, work)).rejects.toBe(reason);
  await expect(forEachConcurrently([], stop.signal, work)).rejects.toBe(reason);
  expect(started).toEqual([1]);
});
