import { formatJunitXml, type JunitCase } from "../../core/text/junit.ts";
import { formatTable } from "../../core/text/text-table.ts";
import { type CheckResult, count, type Report } from "./report.ts";

const CONTRACTS = { whole: "the contract", public: "the public specification" } as const;

/** Formats the report as a table, the reasons of what didn't pass, and a summary. */
export function formatReport(report: Report): string {
  const columns = [
    { heading: "Rule", align: "left" },
    { heading: "Check", align: "left" },
    { heading: "Result", align: "left" },
  ] as const;
  const rows = report.checks.map(({ rule, id, outcome }) => [rule, id, nameOf(outcome)]);
  const end = ["", describeScope(report), sumUp(report)];
  return [...formatTable(columns, rows), ...formatReasons(report.checks), ...end].join("\n");
}

/** One line: what was checked, and what of it was proven and not tried. */
function describeScope(report: Report): string {
  const { relay_version: relayVersion, skipped_rules: skipped } = report;
  return [
    `Checked ${nameScope(report)}${relayVersion === undefined ? "" : ` at a relay ${relayVersion}`}.`,
    `${count(report.proven_rules.length, "rule", "proven")}.`,
    ...(skipped.length > 0 ? [`Not tried: ${skipped.join(" ")}.`] : []),
  ].join(" ");
}

/** Names contract, version, and whether it is a part. */
function nameScope({ contract, is_part: isPart, version }: Report): string {
  return `${isPart ? "a part of " : ""}${CONTRACTS[contract]}, version ${version}`;
}

/** One line: how many checks passed, failed, were inconclusive or skipped. */
function sumUp(report: Report): string {
  const { relay, passed, failed, hindered: inconclusive, skipped, broken_rules } = report;
  const rest = [
    failed > 0 && `${failed} failed (${broken_rules.join(", ")})`,
    inconclusive > 0 && `${inconclusive} inconclusive`,
    skipped > 0 && `${skipped} skipped`,
  ].filter((part) => part !== false);
  const contract = `${report.is_part ? "the checked part of " : ""}${CONTRACTS[report.contract]}`;
  const kept = inconclusive > 0 ? `was not fully checked for ${contract}` : `keeps ${contract}`;
  const verdict = failed > 0 ? `breaks ${contract}` : kept;
  return `${relay} ${verdict}: ${[`${passed} passed`, ...rest].join(", ")}.`;
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
export function formatJunit(report: Report): string {
  const cases = report.checks.map((check): JunitCase => {
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
  return formatJunitXml([{ name: `${report.relay}: ${nameScope(report)}`, cases }]);
}

const JUNIT_KINDS = {
  passed: null,
  failed: "failure",
  hindered: "error",
  skipped: "skipped",
} as const;
