import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkNode, OLDEST_NODE } from "../../../cli/doctor/check-node.ts";
import { judgeClocks } from "../../../cli/doctor/check-relay.ts";
import { PATCHED_NODES } from "../../../cli/doctor/patched-node.cjs";

test.each([
  [PATCHED_NODES[22], "ok"],
  [PATCHED_NODES[24], "ok"],
  ["26.100.0", "ok"],
  ["22.22.2", "note"],
  ["24.9.0", "note"],
  ["25.9.0", "note"],
  ["100.0.0", "note"],
  ["22.22.1", "wrong"],
  ["22.3.0", "wrong"],
  ["9.0.0", "wrong"],
])("[K6] Node %s is %s", (version, state) => {
  expect(checkNode(version).state).toBe(state);
});

test("[K6] doctor says what an older Node lacks, and which one to install", () => {
  const advice = `Install Node ${PATCHED_NODES[24]} or ${PATCHED_NODES[26]}, or a later version of the same major, from https://nodejs.org.`;
  expect(checkNode("24.0.0")).toEqual({
    check: "node",
    state: "note",
    sentence: `Node 24.0.0, at ${process.execPath}. It lacks the security fixes of Node ${PATCHED_NODES[24]}.`,
    advice,
  });
  expect(checkNode(PATCHED_NODES[26], "25.9.0")).toEqual({
    check: "node",
    state: "note",
    sentence: `Node ${PATCHED_NODES[26]}, at ${process.execPath}. The installed Node 25.9.0 isn't used: it belongs to a major that isn't known to get security fixes.`,
    advice,
  });
});

test("[K8] for the app, whose Node is inside, the advice is a newer app", () => {
  expect(checkNode("26.0.0", undefined, "app")).toMatchObject({
    state: "note",
    advice: "Get the newest Soundferry: its Node is inside.",
  });
});

test("[K6] the table lists even majors only, each with a version of its own", () => {
  for (const [major, version] of Object.entries(PATCHED_NODES)) {
    expect(Number(major) % 2).toBe(0);
    expect(version).toMatch(new RegExp(`^${major}\\.\\d+\\.\\d+$`));
  }
});

test("the oldest Node matches package.json", () => {
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
