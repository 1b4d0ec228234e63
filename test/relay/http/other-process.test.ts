import { describe } from "vitest";
import { twoOnMemory } from "./other-process.ts";
import { otherProcessCases } from "./other-process-cases.ts";

describe("what another instance of the store changes, in memory", () =>
  otherProcessCases(twoOnMemory));
