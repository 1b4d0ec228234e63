import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkNode, OLDEST_NODE } from "../../../cli/doctor/check-node.ts";
import { judgeClocks } from "../../../cli/doctor/check-relay.ts";

test.each([
  ["22.22.2", "ok"],
  ["24.0.0", "ok"],
  ["100.0.0", "ok"],
  ["22.22.1", "wrong"],
  ["22.3.0", "wrong"],
  ["9.0.0", "wrong"],
])("Node %s is %s", (version, state) => {
  expect(checkNode(version).state).toBe(state);
});

test("the oldest Node is the one that package.json names", () => {
  const path = join(import.meta.dirname, "..", "..", "..", "package.json");
  expect(JSON.parse(readFileSync(path, "utf8")).engines.node).toBe(`>=${OLDEST_NODE}`);
});

test.each([
  [0, "ok", "agrees"],
  [60, "ok", "agrees"],
  [61, "wrong", "61 s behind the relay's"],
  [-3600, "wrong", "3600 s ahead of the relay's"],
])("a relay whose clock is %i s ahead: %s", (aheadSeconds, state, words) => {
  expect(judgeClocks(aheadSeconds).state).toBe(state);
  expect(judgeClocks(aheadSeconds).sentence).toContain(words);
});
