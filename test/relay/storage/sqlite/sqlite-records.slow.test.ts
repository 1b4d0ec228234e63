import { describe, test } from "vitest";
import { recordHunts } from "../../../../relay/testing/records/records-contract.ts";
import { makeSqlite } from "./open-sqlite.ts";

describe("nothing is lost in many races on SQLite", () => {
  for (const { title, run } of recordHunts(makeSqlite, { seeds: 200 })) test(title, run);
});
