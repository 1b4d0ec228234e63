import { expect, test } from "vitest";
import { MemoryNotifier } from "../../relay/notify/memory-notifier.ts";
import { startOnMemory } from "./memory-relay.ts";

const noted = (sentence: string): string | undefined => sentence;

test("[SC31] /readyz says that notifications do less than they promise, and when it is over", async () => {
  const notifier = Object.assign(
    new MemoryNotifier((error) => {
      throw error;
    }),
    { trouble: noted("Changes are found by asking.") },
  );
  const { relay } = await startOnMemory({ ports: { notifier } });
  expect((await relay.call("GET", "/readyz")).json).toEqual({
    status: "ready",
    notices: ["Changes are found by asking."],
  });
  notifier.trouble = undefined;
  expect((await relay.call("GET", "/readyz")).json).toEqual({ status: "ready", notices: [] });
});
