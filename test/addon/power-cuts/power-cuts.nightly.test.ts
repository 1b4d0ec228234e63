import { test } from "vitest";
import { KEEPERS } from "./keepers.ts";
import { surviveCuts } from "./survive-cuts.ts";

test.for(KEEPERS)("$title survives a power cut at every call", async (keeper) => {
  await surviveCuts(keeper, { stride: 1 });
});
