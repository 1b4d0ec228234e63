import { formatTable } from "../../core/text/text-table.ts";
import type { CheckResult, Report } from "./report.ts";

/** The report for people: a line a check, then what is wrong, then the sum. */
export function formatReport(report: Report): string {
  const columns = [
    { heading: "Rule", align: "left" },
    { heading: "Check", align: "left" },
    { heading: "Result", align: "left" },
  ] as const;
  const rows = report.checks.map(({ rule, id, outcome }) => [rule, id, outcome]);
  return [...formatTable(columns, rows), ...formatReasons(report.checks), "", sumUp(report)].join(
    "\n",
  );
}

/** One line: how many checks passed, failed and were left out. */
export function sumUp({ relay, passed, failed, hindered, skipped, broken_rules }: Report): string {
  const rest = [
    failed > 0 && `${failed} failed (${broken_rules.join(", ")})`,
    hindered > 0 && `${hindered} could not be made`,
    skipped > 0 && `${skipped} skipped`,
  ].filter((part) => part !== false);
  const verdict = failed + hindered === 0 ? "keeps the contract" : "falls short";
  return `${relay} ${verdict}: ${[`${passed} passed`, ...rest].join(", ")}.`;
}

/** Why checks did not pass; those with the same reason to be left out stand together. */
function formatReasons(checks: readonly CheckResult[]): readonly string[] {
  const lines = checks
    .filter(({ outcome }) => outcome === "failed" || outcome === "hindered")
    .flatMap(({ rule, id, title, outcome, reason = "" }) => [
      "",
      `${outcome}  ${rule} ${id}: ${title}`,
      `        ${reason}`,
    ]);
  const skipped = new Map<string, string[]>();
  for (const { outcome, id, reason = "" } of checks) {
    if (outcome === "skipped") skipped.set(reason, [...(skipped.get(reason) ?? []), id]);
  }
  const left = [...skipped].flatMap(([reason, ids]) => [
    "",
    `skipped  ${ids.join(", ")}: ${reason}`,
  ]);
  return [...lines, ...left];
}
