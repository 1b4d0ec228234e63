import { test } from "vitest";
import { RunningRelay } from "../../relay/running-relay.ts";
import { expectKept, tryPlain } from "./hold-public.ts";

// public.test.ts has the silent one.

test.for(["talkative", "terse"] as const)(
  "[Q7] a %s relay that knows only the public specification keeps it",
  async (shape) => {
    await using relay = await RunningRelay.start({ SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "10" });
    expectKept(await tryPlain(relay, shape));
  },
);
