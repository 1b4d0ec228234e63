import type { CheckResult, Report } from "./report.ts";

/** Formats the report as JUnit XML: one suite with a test case per check, its rule as the class. */
export function formatJunit({
  relay,
  checks,
  failed,
  hindered: inconclusive,
  skipped,
}: Report): string {
  const totals = `tests="${checks.length}" failures="${failed}" errors="${inconclusive}" skipped="${skipped}"`;
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

/** XML can't represent control characters at all, so they are replaced. */
export function escapeXml(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cs}\u{FFFE}\u{FFFF}]/gu, "\u{FFFD}")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
