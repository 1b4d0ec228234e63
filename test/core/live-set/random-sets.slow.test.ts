import { test } from "vitest";
import { checkRandomSets } from "./random-packages.ts";

test("[LS1][LS2][LS4][LS5] Sets of 300 random packages and more have no findings, and exact markers", () => {
  checkRandomSets({ numRuns: 300 });
});
