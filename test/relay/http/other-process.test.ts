import { describe } from "vitest";
import { twoOnMemory, twoOnSqlite } from "./other-process.ts";
import { otherProcessCases } from "./other-process-cases.ts";

describe.each([
  { where: "in memory", open: twoOnMemory },
  { where: "in two processes on one data folder", open: twoOnSqlite },
])("what another instance of the store changes, $where", ({ open }) => otherProcessCases(open));
