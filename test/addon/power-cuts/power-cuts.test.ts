import { test } from "vitest";
import type { Keeper } from "./keeper.ts";
import { KEEPERS } from "./keepers.ts";
import { IMPORT } from "./run-keepers.ts";
import { surviveCuts } from "./survive-cuts.ts";

/** A whole import has four times the cuts. `power-cuts.nightly.test.ts` tries all. */
const strideOf = (keeper: Keeper) => (keeper === IMPORT ? 16 : 4);

test.for(KEEPERS)("$title survives power cuts", async (keeper) => {
  await surviveCuts(keeper, { stride: strideOf(keeper) });
});
