import { test } from "vitest";
import { expectNoFindings } from "./written-sets.ts";

test("[LS20] 300 random packages become Sets without findings", () => {
  expectNoFindings(300);
});
