import { expect, test } from "vitest";
import { MemoryNotifier } from "../../../relay/notify/memory-notifier.ts";
import { notifierContract } from "../../contracts/relay/notifier/notifier-contract.ts";
import { makeMemoryProcesses } from "../testing/memory-stores.ts";

for (const { title, run } of notifierContract(makeMemoryProcesses)) test(title, run);

test("what a listener throws is reported, each time", async () => {
  const errors: unknown[] = [];
  const notifier = new MemoryNotifier((error) => errors.push(error));
  notifier.listen("device:1", ({ type }) => {
    throw new Error(`broken by ${type}`);
  });
  await notifier.notify("device:1", { type: "packages.changed" });
  notifier.missed();
  expect(errors).toEqual([new Error("broken by packages.changed"), new Error("broken by missed")]);
});
