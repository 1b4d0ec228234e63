import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readRuleTable } from "../../scripts/tests/rule-table.ts";

const ROOT = join(import.meta.dirname, "../..");
const PAGE = readFileSync(join(ROOT, "docs/security-checklist.md"), "utf8");

/**
 * The requirements of OWASP ASVS 5.0 at levels 1 and 2, by section, as its repository has them (5.0/en). Those of level 3
 * are left out, so that numbers are missing.
 */
const REQUIREMENTS: Readonly<Record<string, string>> = {
  "1.1": "1 2",
  "1.2": "1 2 3 4 5 6 7 8 9",
  "1.3": "1 2 3 4 5 6 7 8 9 10 11",
  "1.4": "1 2 3",
  "1.5": "1 2",
  "2.1": "1 2 3",
  "2.2": "1 2 3",
  "2.3": "1 2 3 4",
  "2.4": "1",
  "3.2": "1 2",
  "3.3": "1 2 3 4",
  "3.4": "1 2 3 4 5 6",
  "3.5": "1 2 3 4 5",
  "3.7": "1 2",
  "4.1": "1 2 3",
  "4.2": "1",
  "4.3": "1 2",
  "4.4": "1 2 3 4",
  "5.1": "1",
  "5.2": "1 2 3",
  "5.3": "1 2",
  "5.4": "1 2 3",
  "6.1": "1 2 3",
  "6.2": "1 2 3 4 5 6 7 8 9 10 11 12",
  "6.3": "1 2 3 4",
  "6.4": "1 2 3 4",
  "6.5": "1 2 3 4 5",
  "6.6": "1 2 3",
  "6.8": "1 2 3 4",
  "7.1": "1 2 3",
  "7.2": "1 2 3 4",
  "7.3": "1 2",
  "7.4": "1 2 3 4 5",
  "7.5": "1 2",
  "7.6": "1 2",
  "8.1": "1 2",
  "8.2": "1 2 3",
  "8.3": "1",
  "8.4": "1",
  "9.1": "1 2 3",
  "9.2": "1 2 3 4",
  "10.1": "1 2",
  "10.2": "1 2",
  "10.3": "1 2 3 4",
  "10.4": "1 2 3 4 5 6 7 8 9 10 11",
  "10.5": "1 2 3 4 5",
  "10.6": "1 2",
  "10.7": "1 2 3",
  "11.1": "1 2",
  "11.2": "1 2 3",
  "11.3": "1 2 3",
  "11.4": "1 2 3 4",
  "11.5": "1",
  "11.6": "1",
  "12.1": "1 2 3",
  "12.2": "1 2",
  "12.3": "1 2 3 4",
  "13.1": "1",
  "13.2": "1 2 3 4 5",
  "13.3": "1 2",
  "13.4": "1 2 3 4 5",
  "14.1": "1 2",
  "14.2": "1 2 3 4",
  "14.3": "1 2 3",
  "15.1": "1 2 3",
  "15.2": "1 2 3",
  "15.3": "1 2 3 4 5 6 7",
  "16.1": "1",
  "16.2": "1 2 3 4 5",
  "16.3": "1 2 3 4",
  "16.4": "1 2 3",
  "16.5": "1 2 3",
  "17.1": "1",
  "17.2": "1 2 3 4",
  "17.3": "1 2",
};

/** The states that a requirement may have. */
const STATES = new Set(["met", "not met", "n/a"]);

interface Line {
  readonly id: string;
  readonly words: string;
  readonly state: string;
  readonly proof: string;
}

function linesOf(page: string): readonly Line[] {
  return [...page.matchAll(/^\| (\d+\.\d+\.\d+) +\| (.+?) +\| (.+?) +\| (.+?) +\|$/gm)].map(
    ([, id = "", words = "", state = "", proof = ""]) => ({ id, words, state, proof }),
  );
}

/** The rules that a line names, such as P6. */
function rulesIn(proof: string): readonly string[] {
  const prose = proof.replaceAll(/`[^`]*`/g, "").replaceAll(/\]\([^)]*\)/g, "]");
  return [...prose.matchAll(/\b([A-Z]{1,3}\d+)\b/g)]
    .map(([, rule = ""]) => rule)
    .filter((name) => !NO_RULES.has(name));
}

/** The files and folders that a line names. */
function pathsIn(proof: string): readonly string[] {
  return [...proof.matchAll(/`([\w.-]+\/[\w./-]+)`/g)].map(([, path = ""]) => path);
}

/** Words that look like a rule and are something else. */
const NO_RULES = new Set(["S3", "MD5"]);

/** Returns the faults of a checklist, one sentence each. */
function faultsOf(page: string): readonly string[] {
  const { rules, files } = readRuleTable();
  const lines = linesOf(page);
  const wanted = Object.entries(REQUIREMENTS).flatMap(([section, numbers]) =>
    numbers.split(" ").map((number) => `${section}.${number}`),
  );
  const counts = Map.groupBy(lines, ({ id }) => id);
  return [
    ...wanted.filter((id) => !counts.has(id)).map((id) => `${id} is missing.`),
    ...[...counts].filter(([id]) => !wanted.includes(id)).map(([id]) => `${id} isn't asked.`),
    ...[...counts].filter(([, same]) => same.length > 1).map(([id]) => `${id} is there twice.`),
    ...lines.flatMap((line) => faultsIn(line).map((fault) => `${line.id} ${fault}`)),
  ];

  function faultsIn({ state, proof }: Line): readonly string[] {
    const [named, paths] = [rulesIn(proof), pathsIn(proof)];
    const untested = named.filter((rule) => !rules.has(rule) || !files.has(rule));
    const missing = paths.filter((path) => !existsSync(join(ROOT, path)));
    const faults = [
      ...untested.map((rule) => `names ${rule}, which is no rule with a test.`),
      ...missing.map((path) => `names ${path}, which isn't there.`),
    ];
    if (!STATES.has(state)) faults.push(`is neither met nor not met: ${state}.`);
    if (state === "met" && named.length + paths.length === 0)
      faults.push("is met, but nothing shows it.");
    if (state !== "met" && !/[a-z].*[.)]$/.test(proof)) faults.push("needs a reason.");
    return faults;
  }
}

test("[SEC9] the checklist has each requirement once, and names only rules, tests and files that are there", () => {
  expect(linesOf(PAGE).length).toBe(253);
  expect(faultsOf(PAGE)).toEqual([]);
});

test("[SEC9] what is missing, doubled, made up or unproven in a checklist is noticed", () => {
  const change = (from: RegExp | string, to: string) => {
    const changed = PAGE.replace(from, to);
    expect(changed).not.toBe(PAGE);
    return faultsOf(changed);
  };
  expect(change(/^\| 1\.1\.1 .*\n/m, "")).toEqual(["1.1.1 is missing."]);
  expect(change(/^\| 1\.1\.1 .*\n/m, "$&$&")).toEqual(["1.1.1 is there twice."]);
  expect(change(/^\| 1\.1\.1 /m, "| 1.1.3 ")).toEqual(["1.1.1 is missing.", "1.1.3 isn't asked."]);
  expect(change(/(?<=^\| 1\.1\.1 .*\| met +\| ).*(?= \|$)/m, "Z99")).toEqual([
    "1.1.1 names Z99, which is no rule with a test.",
  ]);
  expect(change(/(?<=^\| 1\.1\.1 .*\| met +\| ).*(?= \|$)/m, "`core/no.ts`")).toEqual([
    "1.1.1 names core/no.ts, which isn't there.",
  ]);
  expect(change(/(?<=^\| 1\.1\.1 .*\| met +\| ).*(?= \|$)/m, "We are careful")).toEqual([
    "1.1.1 is met, but nothing shows it.",
  ]);
  expect(change(/(?<=^\| 1\.1\.1 .*)\| met +\|/m, "| nearly |")).toContain(
    "1.1.1 is neither met nor not met: nearly.",
  );
});
