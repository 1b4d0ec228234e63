import { formatTable } from "../../core/text/text-table.ts";
import type { CheckResult, Report } from "./report.ts";

/** Formats the report as a table, the reasons of what didn't pass, and a summary. */
export function formatReport(report: Report): string {
  const columns = [
    { heading: "Rule", align: "left" },
    { heading: "Check", align: "left" },
    { heading: "Result", align: "left" },
  ] as const;
  const rows = report.checks.map(({ rule, id, outcome }) => [rule, id, nameOf(outcome)]);
  return [...formatTable(columns, rows), ...formatReasons(report.checks), "", sumUp(report)].join(
    "\n",
  );
}

/** One line: how many checks passed, failed, were inconclusive or skipped. */
export function sumUp({
  relay,
  passed,
  failed,
  hindered: inconclusive,
  skipped,
  broken_rules,
}: Report): string {
  const rest = [
    failed > 0 && `${failed} failed (${broken_rules.join(", ")})`,
    inconclusive > 0 && `${inconclusive} inconclusive`,
    skipped > 0 && `${skipped} skipped`,
  ].filter((part) => part !== false);
  const kept = inconclusive > 0 ? "was not fully checked" : "keeps the contract";
  const verdict = failed > 0 ? "breaks the contract" : kept;
  return `${relay} ${verdict}: ${[`${passed} passed`, ...rest].join(", ")}.`;
}

/** The JSON keeps the outcome's old name. */
function nameOf(outcome: CheckResult["outcome"]): string {
  return outcome === "hindered" ? "inconclusive" : outcome;
}

/** Why checks did not pass; skipped checks are grouped by reason. */
function formatReasons(checks: readonly CheckResult[]): readonly string[] {
  const lines = checks
    .filter(({ outcome }) => outcome === "failed" || outcome === "hindered")
    .flatMap(({ rule, id, title, outcome, reason = "" }) => [
      "",
      `${nameOf(outcome)}  ${rule} ${id}: ${title}`,
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
