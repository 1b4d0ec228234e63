import { test } from "vitest";
import { claimWithoutYes } from "./pair-attack.ts";

test("[LAN5] 0 pairings without a yes in 10,000 tries", async () => {
  await claimWithoutYes(10_000);
});
