import { test } from "vitest";
import { expectNoFindings } from "./written-sets.ts";

test("[LS20] Sets that this project writes have no findings, no notes, and nothing that isn't judged", () => {
  expectNoFindings(15);
});
