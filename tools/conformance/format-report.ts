import { formatTable } from "../../core/text/text-table.ts";
import type { CheckResult, Report } from "./report.ts";

/** The report for people: a line a check, then what is wrong, then the sum. */
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

/** One line: how many checks passed, failed and were left out. */
export function sumUp({ relay, passed, failed, hindered, skipped, broken_rules }: Report): string {
  const rest = [
    failed > 0 && `${failed} failed (${broken_rules.join(", ")})`,
    hindered > 0 && `${hindered} inconclusive`,
    skipped > 0 && `${skipped} skipped`,
  ].filter((part) => part !== false);
  const kept = hindered > 0 ? "was not fully checked" : "keeps the contract";
  const verdict = failed > 0 ? "breaks the contract" : kept;
  return `${relay} ${verdict}: ${[`${passed} passed`, ...rest].join(", ")}.`;
}

/** Why checks did not pass; those with the same reason to be left out stand together. */
/** As people read it; in the JSON the outcome keeps its name. */
function nameOf(outcome: CheckResult["outcome"]): string {
  return outcome === "hindered" ? "inconclusive" : outcome;
}

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
