import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readRuleTable } from "../scripts/tests/rule-table.ts";

/** Rules that only slower tests prove, by what these need. Every other rule is proven by `npm test`. */
const SLOWER = {
  browser: [
    "G9 G11 G12 G13 G26 N7 N8 N14 N15 N16 N17 N18 N19 N21 N25 N30 N31 V10 V11 V12 V13 V14 V17",
    "W15 W35 X6 X7 X8 X9 O5 RC1 RC2 RC3 RC4 RC6 RC8 RC10 RC21 RC22 RC23 RC24 RC25 RC26 RC27",
  ],
  engines: ["SC1 SC2 SC3 SC5 SC7 SC8 SC9 SC11 SC12 SC13 SC14 SC16 SC17 SC18 SC20 SC24"],
  "Python or a fake Live": ["H22 H25 W53 W54"],
  "a published package or a whole relay": ["O6 O8 O9 PK1 PK7 SEC7 W38"],
};

test("every rule has a test, and every number in a test's title is a rule", () => {
  const { rules, withoutTest, unknown } = readRuleTable();
  expect(rules.size).toBeGreaterThan(70);
  expect(withoutTest).toEqual([]);
  expect(unknown).toEqual([]);
});

test("a rule whose tests are all slow is among those that need it", () => {
  const { files, rules } = readRuleTable();
  const isSlow = (path: string) => /\.(slow|nightly|scaled)\./.test(path);
  const slow = [...files].filter(([, paths]) => paths.every(isSlow)).map(([rule]) => rule);
  const named = Object.values(SLOWER).flatMap((lines) => lines.join(" ").split(" "));
  expect(slow.toSorted()).toEqual(named.toSorted());
  const page = readFileSync(join(import.meta.dirname, "../docs/build/testing.md"), "utf8");
  expect(page).toContain(`: ${rules.size - slow.length} of ${rules.size}. `);
});
