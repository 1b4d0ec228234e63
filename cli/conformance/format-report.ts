import { formatJunitXml, type JunitCase } from "../../core/text/junit.ts";
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
function sumUp(report: Report): string {
  const { relay, passed, failed, hindered: inconclusive, skipped, broken_rules } = report;
  const rest = [
    failed > 0 && `${failed} failed (${broken_rules.join(", ")})`,
    inconclusive > 0 && `${inconclusive} inconclusive`,
    skipped > 0 && `${skipped} skipped`,
  ].filter((part) => part !== false);
  const contract = nameContract(report);
  const kept = inconclusive > 0 ? `was not fully checked for ${contract}` : `keeps ${contract}`;
  const verdict = failed > 0 ? `breaks ${contract}` : kept;
  return `${relay} ${verdict}: ${[`${passed} passed`, ...rest].join(", ")}.`;
}

/** Names what was checked, as the end of "keeps …". */
function nameContract({ contract, is_part: isPart }: Report): string {
  const name = contract === "public" ? "the public specification" : "the contract";
  return isPart ? `the checked part of ${name}` : name;
}

/** The JSON keeps the outcome's old name. */
function nameOf(outcome: CheckResult["outcome"]): string {
  return outcome === "hindered" ? "inconclusive" : outcome;
}

/** Formats the reasons of checks that did not pass; skipped checks are grouped by reason. */
function formatReasons(checks: readonly CheckResult[]): readonly string[] {
  const lines = checks
    .filter(({ outcome }) => outcome === "failed" || outcome === "hindered")
    .flatMap(({ rule, id, title, spec, outcome, reason = "" }) =>
      [
        "",
        `${nameOf(outcome)}  ${rule} ${id}: ${title}`,
        `        ${reason}`,
        spec && `        Specification ${spec}`,
      ].filter((line) => line !== undefined),
    );
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

/** Formats the report as JUnit XML: one suite with a test case per check, its rule as the class. */
export function formatJunit({ relay, checks }: Report): string {
  const cases = checks.map((check): JunitCase => {
    const { rule, id, title, spec, outcome, reason = "", durationMs } = check;
    const kind = JUNIT_KINDS[outcome];
    return {
      className: `${rule}.${id}`,
      name: `[${rule}] ${title}`,
      seconds: durationMs / 1000,
      ...(kind !== null && { outcome: { kind, message: reason } }),
      ...(spec !== undefined && { output: [`Specification ${spec}`] }),
    };
  });
  return formatJunitXml([{ name: `Conformance of ${relay}`, cases }]);
}

const JUNIT_KINDS = {
  passed: null,
  failed: "failure",
  hindered: "error",
  skipped: "skipped",
} as const;
