import type { CheckResult, Report } from "./report.ts";

/** The report as JUnit's XML, which CI servers read: one suite, a test case a check, the rule as its class. */
export function formatJunit({ relay, checks, failed, hindered, skipped }: Report): string {
  const totals = `tests="${checks.length}" failures="${failed}" errors="${hindered}" skipped="${skipped}"`;
  const seconds = checks.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${totals} time="${seconds}">`,
    `  <testsuite name="Conformance of ${escapeXml(relay)}" ${totals} time="${seconds}">`,
    ...checks.map(formatCase),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function formatCase({ rule, id, title, outcome, reason = "", durationMs }: CheckResult): string {
  const name = escapeXml(`[${rule}] ${title}`);
  const start = `    <testcase classname="${rule}.${id}" name="${name}" time="${durationMs / 1000}"`;
  if (outcome === "passed") return `${start}/>`;
  const element = { failed: "failure", hindered: "error", skipped: "skipped" }[outcome];
  return `${start}><${element} message="${escapeXml(reason)}"/></testcase>`;
}

/** Control characters have no form in XML at all. */
export function escapeXml(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cs}\u{FFFE}\u{FFFF}]/gu, "\u{FFFD}")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
