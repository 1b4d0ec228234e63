import { expect, test } from "vitest";
import {
  badgeJson,
  badgeSvg,
  formatJunit,
  formatReport,
} from "../../../cli/conformance/format-report.ts";
import { buildReport, type CheckResult } from "../../../cli/conformance/report.ts";

const check = (rule: string, outcome: CheckResult["outcome"], reason?: string): CheckResult => ({
  rule,
  id: `${rule.toLowerCase()}-${outcome}`,
  title: `rule ${rule} & more`,
  outcome,
  ...(reason !== undefined && { reason }),
  durationMs: 5,
});

const GOOD = buildReport("http://relay.example", [
  check("S1", "passed"),
  check("P6", "skipped", "Uses up a limit; --limits runs it."),
]);
const BAD = buildReport("http://relay.example", [
  check("S1", "passed"),
  check("U3", "failed", 'PUT /a answered 200; "422" < was due.'),
  check("I3", "hindered", "The socket did not open."),
]);

test("[Q3] a failed or inconclusive check breaks the contract, a skipped one does not", () => {
  expect(GOOD.keeps_the_contract).toBe(true);
  expect(BAD).toMatchObject({ keeps_the_contract: false, broken_rules: ["U3"] });
  expect(buildReport("x", [check("I3", "hindered", "No.")]).keeps_the_contract).toBe(false);
  expect(buildReport("x", []).keeps_the_contract).toBe(false);
});

test("[Q5] the table ends with the failures and a summary", () => {
  expect(formatReport(BAD)).toBe(
    [
      "Rule  Check        Result",
      "────  ───────────  ────────────",
      "S1    s1-passed    passed",
      "U3    u3-failed    failed",
      "I3    i3-hindered  inconclusive",
      "",
      "failed  U3 u3-failed: rule U3 & more",
      '        PUT /a answered 200; "422" < was due.',
      "",
      "inconclusive  I3 i3-hindered: rule I3 & more",
      "        The socket did not open.",
      "",
      "http://relay.example breaks the contract: 1 passed, 1 failed (U3), 1 inconclusive.",
    ].join("\n"),
  );
  expect(formatReport(GOOD).split("\n").at(-1)).toBe(
    "http://relay.example keeps the contract: 1 passed, 1 skipped.",
  );
});

test("[Q5] JUnit XML has an escaped case per check, and separates failures from errors", () => {
  expect(formatJunit(BAD)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="3" failures="1" errors="1" skipped="0" time="0.015">
  <testsuite name="Conformance of http://relay.example" tests="3" failures="1" errors="1" skipped="0" time="0.015">
    <testcase classname="S1.s1-passed" name="[S1] rule S1 &amp; more" time="0.005"/>
    <testcase classname="U3.u3-failed" name="[U3] rule U3 &amp; more" time="0.005"><failure message="PUT /a answered 200; &quot;422&quot; &lt; was due."/></testcase>
    <testcase classname="I3.i3-hindered" name="[I3] rule I3 &amp; more" time="0.005"><error message="The socket did not open."/></testcase>
  </testsuite>
</testsuites>
`);
  expect(formatJunit(GOOD)).toContain("<skipped message=");
});

test("[Q5] the badge is green only for a relay that keeps the contract", () => {
  expect(badgeJson(GOOD)).toEqual({
    schemaVersion: 1,
    label: "Soundferry relay",
    message: "1 checks passed",
    color: "2e7d32",
  });
  expect(badgeJson(BAD)).toMatchObject({ message: "2 of 3 checks failed", color: "c62828" });
  expect(badgeSvg(GOOD)).toContain('aria-label="Soundferry relay: 1 checks passed"');
  expect(badgeSvg(BAD)).toContain('fill="#c62828"');
});
