import { expect, test } from "vitest";
import { isHeld, type Outcome } from "./attack.ts";
import { formatReports } from "./format-report.ts";

const OUTCOME: Outcome = {
  what: "claims",
  offered: 100,
  leastOffered: 100,
  accepted: 3,
  measures: [{ name: "looked up", value: 3, unit: "codes", atMost: 3 }],
};

test("a promise is held at its bound, and broken by one more, one less or without any figure", () => {
  const [measure] = OUTCOME.measures;
  if (measure === undefined) throw new Error("The outcome has no measure.");
  const of = (rest: object): Outcome => ({ ...OUTCOME, measures: [{ ...measure, ...rest }] });
  expect(isHeld(OUTCOME)).toBe(true);
  expect(isHeld(of({ value: 4 }))).toBe(false);
  expect(isHeld(of({ atMost: Infinity, atLeast: 4 }))).toBe(false);
  expect(isHeld(of({ value: NaN }))).toBe(false);
  expect(isHeld({ ...OUTCOME, measures: [] })).toBe(false);
});

test("a driver that offered too little proves nothing, and the report says so", () => {
  const outcome = { ...OUTCOME, offered: 99 };
  expect(isHeld(outcome)).toBe(false);
  const attack = { name: "A0", title: "claims", promise: "Few are looked up." };
  const lines = formatReports([{ attack, outcome, seconds: 1 }]);
  expect(lines).toContain("A0 offered too little (99 of 100 claims): Few are looked up.");
  expect(lines).toContain("0 of 1 promises held.");
});
