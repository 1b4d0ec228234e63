import { expect, test } from "vitest";
import { badgeJson, badgeSvg } from "../../../cli/conformance/badge.ts";
import { formatJunit, formatReport } from "../../../cli/conformance/format-report.ts";
import { buildReport, type CheckResult } from "../../../cli/conformance/report.ts";
import { readRuleTable } from "../../../scripts/tests/rule-table.ts";
import { CHECKS } from "../../../cli/conformance/all-checks.ts";
import { MANIFEST_EDGES, SOUND_EDGES } from "../../../cli/conformance/checks/edges.ts";
import { REFUSED_CASES } from "../../../cli/conformance/checks/manifest-refusals.ts";
import {
  LOOP_REPAIRS,
  MANIFEST_REPAIRS,
  ONE_SHOT_REPAIRS,
} from "../../../cli/conformance/checks/manifest-repairs.ts";
import { STANDING } from "../../../cli/conformance/watch.ts";
import { FIELDS, type Field } from "../../../core/manifest/fields.ts";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { RunningRelay } from "../../relay/running-relay.ts";
import { makeMachine, runOnce } from "../run-soundferry.ts";
import { startBreakingProxy } from "./faults/breaking-proxy.ts";

const check = (rule: string, outcome: CheckResult["outcome"], reason?: string): CheckResult => ({
  rule,
  id: `${rule.toLowerCase()}-${outcome}`,
  title: `rule ${rule} & more`,
  outcome,
  ...(reason !== undefined && { reason }),
  durationMs: 5,
});

const WHOLE = { relay: "http://relay.example", contract: "whole", isPart: false } as const;

const GOOD = buildReport(WHOLE, [
  check("S1", "passed"),
  check("P6", "skipped", "Uses up a limit; --limits runs it."),
]);
const BAD = buildReport(WHOLE, [
  check("S1", "passed"),
  check("U3", "failed", 'PUT /a answered 200; "422" < was due.'),
  check("I3", "hindered", "The socket did not open."),
]);

test("[Q3] a failed or inconclusive check breaks the contract, a skipped one does not", () => {
  expect(GOOD.keeps_the_contract).toBe(true);
  expect(BAD).toMatchObject({ keeps_the_contract: false, broken_rules: ["U3"] });
  expect(buildReport(WHOLE, [check("I3", "hindered", "No.")]).keeps_the_contract).toBe(false);
  expect(buildReport(WHOLE, []).keeps_the_contract).toBe(false);
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
      "Checked the contract, version 0.1.0. 1 rule proven.",
      "http://relay.example breaks the contract: 1 passed, 1 failed (U3), 1 inconclusive.",
    ].join("\n"),
  );
  expect(formatReport(GOOD).split("\n").slice(-2)).toEqual([
    "Checked the contract, version 0.1.0. 1 rule proven. Not tried: P6.",
    "http://relay.example keeps the contract: 1 passed, 1 skipped.",
  ]);
});

test("[Q5][Q7] the report of a part says so, names its version, what it proved and what it skipped", () => {
  const spec = "4 commit: 200";
  const part = buildReport({ ...WHOLE, relayVersion: "9.1", contract: "public", isPart: true }, [
    { ...check("S1", "failed", "No."), spec },
    check("U3", "passed"),
    check("P7", "skipped", "It needs more."),
  ]);
  const lines = formatReport(part).split("\n");
  expect(lines).toContain("        Specification 4 commit: 200");
  expect(lines).toContain("skipped  p7-skipped: It needs more.");
  expect(lines.slice(-2)).toEqual([
    "Checked a part of the public specification, version 0.1.0 at a relay 9.1. 1 rule proven. Not tried: P7.",
    "http://relay.example breaks the checked part of the public specification: 1 passed, 1 failed (S1), 1 skipped.",
  ]);
  expect(formatJunit(part)).toContain(
    'name="http://relay.example: a part of the public specification, version 0.1.0"',
  );
  expect(formatJunit(part)).toContain("<system-out>Specification 4 commit: 200</system-out>");
  expect(badgeJson(part)).toMatchObject({
    label: "Package relay, public",
    message: "part of 0.1.0, 1 of 2 checks failed, 1 rule proven, 1 check skipped",
  });
});

test("[Q5] JUnit XML has an escaped case per check, and separates failures from errors", () => {
  expect(formatJunit(BAD)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="3" failures="1" errors="1" skipped="0" time="0.015">
  <testsuite name="http://relay.example: the contract, version 0.1.0" tests="3" failures="1" errors="1" skipped="0" time="0.015">
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
    message: "0.1.0, 1 rule proven, 1 check skipped",
    color: "2e7d32",
  });
  expect(badgeJson(BAD)).toMatchObject({
    message: "0.1.0, 2 of 3 checks failed, 1 rule proven, 0 checks skipped",
    color: "c62828",
  });
  expect(badgeSvg(GOOD)).toContain(
    'aria-label="Soundferry relay: 0.1.0, 1 rule proven, 1 check skipped"',
  );
  expect(badgeSvg(BAD)).toContain('fill="#c62828"');
});

const ALL = [...CHECKS, ...STANDING];

test("[Q2] every check has an id of its own and names a rule that there is", () => {
  const ids = ALL.map(({ id }) => id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  const { rules } = readRuleTable();
  expect(ALL.filter(({ rule }) => !rules.has(rule))).toEqual([]);
});

test("[Q2] tests every field of the manifest with each outcome of a bad value", () => {
  const repairs = [
    ...MANIFEST_EDGES.flat(),
    ...SOUND_EDGES,
    ...MANIFEST_REPAIRS.flat(),
    ...LOOP_REPAIRS,
    ...ONE_SHOT_REPAIRS,
  ];
  const tried = new Set(repairs.map(({ field, code }) => `${field} ${code}`));
  const refused = new Set<string>(REFUSED_CASES.map(({ code }) => code));
  const untried = Object.entries(FIELDS).flatMap(([group, fields]) =>
    Object.entries<Field>(fields).flatMap(([name, field]) => {
      if (field.remedy.kind === "refuse") {
        return field.remedy.codes.filter((code) => !refused.has(code));
      }
      const path = group === "source" || group === "tempo" ? `${group}.${name}` : name;
      return codesOf(field)
        .map((code) => `${path} ${code}`)
        .filter((each) => !tried.has(each) && name !== "id");
    }),
  );
  expect(untried).toEqual([]);
});

/** The warnings for a bad value; ids have their own check. */
function codesOf({ remedy, isOnlyForLoops }: Field): readonly string[] {
  if (remedy.kind === "ignore") return ["MIDI_IGNORED"];
  return [
    "VALUE_IGNORED",
    ...(isOnlyForLoops ? ["LOOP_ONLY"] : []),
    ...(remedy.kind === "clamp" ? ["VALUE_CLAMPED"] : []),
    ...(remedy.kind === "clean" ? ["TEXT_CLEANED", "TEXT_CUT"] : []),
  ];
}

test("[Q5][K1] prints one JSON value, writes JUnit and a badge, and exits 0", async () => {
  await using relay = await RunningRelay.start();
  await using machine = await makeMachine();
  const [junit, badge] = [join(machine.home, "junit.xml"), join(machine.home, "badge.json")];
  const { status, stdout } = await machine.runInside([
    "conformance",
    `--relay=${relay.url}/`,
    "--only=hello,S1",
    "--skip=commit-again",
    "--json",
    `--junit=${junit}`,
    `--badge=${badge}`,
  ]);
  expect(status).toBe(0);
  const report = JSON.parse(stdout) as { checks: { rule: string; outcome: string }[] };
  expect(report).toMatchObject({ relay: relay.url, keeps_the_contract: true, skipped: 1 });
  expect(new Set(report.checks.map(({ rule }) => rule))).toEqual(new Set(["I4", "S1"]));
  expect(await readFile(junit, "utf8")).toContain('<testcase classname="I4.hello"');
  expect(JSON.parse(await readFile(badge, "utf8"))).toMatchObject({ color: "2e7d32" });
});

test("[Q3] exits 1 with the answer and what was expected, and prints no token", async () => {
  await using relay = await RunningRelay.start();
  await using proxy = await startBreakingProxy(relay.url, {
    answer: (answered, { path }) => {
      if (path === "/importer/register") answered.status = 200;
    },
  });
  const ended = await runOnce(["conformance", "--relay", proxy.url, "--only", "P1", "A1"]);
  expect(ended.status).toBe(1);
  expect(ended.stdout).toContain("POST /importer/register answered 200; expected 201.");
  expect(ended.stdout).toContain("breaks the checked part of the contract");
  expect(ended.stdout + ended.stderr).not.toMatch(/sf[ai]_\w/);
});

test("[Q1] tests a relay at an https address in the same way, including its notification socket", async () => {
  const folder = join(import.meta.dirname, "../../relay/tls");
  const cert = join(folder, "cert.pem");
  await using relay = await RunningRelay.start({
    SOUNDFERRY_TLS_CERT: cert,
    SOUNDFERRY_TLS_KEY: join(folder, "key.pem"),
  });
  await using machine = await makeMachine();
  const words = ["--only", "malformed-request", "upload-broken-off", "I3", "--json"];
  const { stdout } = await machine.run(["conformance", "--relay", relay.url, ...words], {
    NODE_EXTRA_CA_CERTS: cert,
  });
  expect(JSON.parse(stdout)).toMatchObject({ keeps_the_contract: true, passed: 5, skipped: 1 });
});

test("[Q3][Q4][Q8] wrong use is 2; a relay that can't be reached is a sentence", async () => {
  await using machine = await makeMachine();
  const wrong = [
    ["--only", "S99"],
    ["--skip", "no-check"],
    ["--relay", "ftp://relay.example"],
    ["--badge", "badge.png"],
  ];
  const endings = await Promise.all(
    wrong.map((words) => machine.runInside(["conformance", ...words])),
  );
  expect(endings.map(({ status }) => status)).toEqual([2, 2, 2, 2]);
  expect(endings[0]?.stderr).toContain('"S99" is neither a rule nor a check');
  const away = await machine.runInside(["conformance", "--relay", "http://127.0.0.1:1"]);
  expect([away.status, away.stdout]).toEqual([1, ""]);
  expect(away.stderr).toContain("No relay answers at http://127.0.0.1:1.");
});
