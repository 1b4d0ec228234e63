import { expect, test } from "vitest";
import { RunningRelay } from "../running-relay.ts";
import { longWav, offsetOf, PartialFile } from "./partial-calls.ts";

test("[U10] a file in a thousand parts of one byte arrives whole", async () => {
  await using relay = await RunningRelay.start({ SOUNDFERRY_CALLS_PER_MINUTE: "100000" });
  const file = await PartialFile.announce(relay, longWav(956));
  const size = file.wav.byteLength;
  expect(size).toBe(1000);
  for (let at = 0; at < size - 1; at += 1) {
    expect(offsetOf(await file.patch(at, at + 1))).toBe(`204 ${at + 1} ?0`);
  }
  expect((await file.patch(size - 1)).status).toBe(200);
}, 120_000);
