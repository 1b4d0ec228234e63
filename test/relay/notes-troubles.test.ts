import { expect, test } from "vitest";
import { MemoryNotifier } from "../../relay/notify/memory-notifier.ts";
import { MemoryLimits } from "../../relay/storage/memory/memory-limits.ts";
import { runningTime } from "../../relay/storage/system.ts";
import { startOnMemory } from "./memory-relay.ts";

const noted = (sentence: string): string | undefined => sentence;

test("[SC31] /readyz says what keeps limits and notifications from doing all they promise, and when it is over", async () => {
  const limits = Object.assign(new MemoryLimits(runningTime), {
    trouble: noted("Calls are counted per process."),
  });
  const notifier = Object.assign(
    new MemoryNotifier((error) => {
      throw error;
    }),
    { trouble: noted("Changes are found by asking.") },
  );
  const { relay } = await startOnMemory({ ports: { limits, notifier } });
  expect((await relay.call("GET", "/readyz")).json).toEqual({
    status: "ready",
    notices: ["Calls are counted per process.", "Changes are found by asking."],
  });
  limits.trouble = undefined;
  notifier.trouble = undefined;
  expect((await relay.call("GET", "/readyz")).json).toEqual({ status: "ready", notices: [] });
});
