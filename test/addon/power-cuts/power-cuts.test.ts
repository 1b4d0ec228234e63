import { IMPORT } from "./run-keepers.ts";
import { testCuts } from "./survive-cuts.ts";

// A whole import has four times the cuts. `power-cuts.nightly.test.ts` tries all.
testCuts("$title survives power cuts", (keeper) => (keeper === IMPORT ? 16 : 4));
