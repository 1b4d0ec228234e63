import { test } from "vitest";
import { runs } from "../../runner/random-seed.ts";
import { checkRandomSets } from "./random-packages.ts";

test("[LS1][LS2][LS4][LS5] Sets of random packages have no findings, and exact markers", () => {
  checkRandomSets(runs(40));
});
