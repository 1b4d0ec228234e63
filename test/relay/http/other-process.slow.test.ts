import { describe } from "vitest";
import { twoOnSqlite } from "./other-process.ts";
import { otherProcessCases } from "./other-process-cases.ts";

describe("what another process changes on the same data folder", () =>
  otherProcessCases(twoOnSqlite));
