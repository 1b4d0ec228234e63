import { VERSION } from "../../core/version.ts";
import type { Check } from "./check.ts";
import type { Contract } from "./contract.ts";

/** The result of one check. */
export interface CheckResult {
  readonly rule: string;
  readonly id: string;
  readonly title: string;
  /** The section and words of the public specification that promise it. */
  readonly spec?: string;
  /** `hindered` is the report's name for inconclusive. */
  readonly outcome: "passed" | "failed" | "skipped" | "hindered";
  /** A sentence, unless it passed. */
  readonly reason?: string;
  readonly durationMs: number;
}

/** The subject of a report. */
export interface ReportSubject {
  readonly relay: string;
  /** The version that the relay names. */
  readonly relayVersion?: string | undefined;
  readonly contract: Contract;
  /** True if `--only` or `--skip` left checks out. */
  readonly isPart: boolean;
}

/** The result of a run, as `--json` prints it (rule Q5). */
export interface Report {
  readonly relay: string;
  readonly relay_version?: string;
  /** Version of the contract that was checked, which is this kit's. */
  readonly version: string;
  readonly contract: Contract;
  readonly is_part: boolean;
  /** True if every check that should have run did and passed (rule Q3). */
  readonly keeps_the_contract: boolean;
  readonly passed: number;
  readonly failed: number;
  readonly hindered: number;
  readonly skipped: number;
  /** Rules of which a check passed and none failed or was inconclusive. */
  readonly proven_rules: readonly string[];
  readonly broken_rules: readonly string[];
  /** Rules of which every check was skipped. */
  readonly skipped_rules: readonly string[];
  readonly checks: readonly CheckResult[];
}

export function buildReport(
  { relay, relayVersion, contract, isPart }: ReportSubject,
  checks: readonly CheckResult[],
): Report {
  const countOf = (outcome: CheckResult["outcome"]) =>
    checks.filter((check) => check.outcome === outcome).length;
  const rules = [...new Set(checks.map(({ rule }) => rule))];
  const outcomes = (rule: string) =>
    checks.filter((check) => check.rule === rule).map(({ outcome }) => outcome);
  const [passed, failed, inconclusive] = [
    countOf("passed"),
    countOf("failed"),
    countOf("hindered"),
  ];
  return {
    relay,
    ...(relayVersion !== undefined && { relay_version: relayVersion }),
    version: VERSION,
    contract,
    is_part: isPart,
    keeps_the_contract: failed === 0 && inconclusive === 0 && passed > 0,
    passed,
    failed,
    hindered: inconclusive,
    skipped: countOf("skipped"),
    proven_rules: rules.filter(
      (rule) =>
        outcomes(rule).includes("passed") &&
        outcomes(rule).every((outcome) => outcome === "passed" || outcome === "skipped"),
    ),
    broken_rules: rules.filter((rule) => outcomes(rule).includes("failed")),
    skipped_rules: rules.filter((rule) => outcomes(rule).every((each) => each === "skipped")),
    checks,
  };
}

/** Formats a number of things, as in "1 rule proven". */
export function count(number: number, noun: string, verb: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"} ${verb}`;
}

/** Builds the result of a check. */
export function resultOf(
  { rule, id, title, spec }: Pick<Check, "rule" | "id" | "title" | "spec">,
  outcome: CheckResult["outcome"],
  reason?: string,
  durationMs = 0,
): CheckResult {
  return {
    rule,
    id,
    title,
    ...(spec !== undefined && { spec }),
    outcome,
    ...(reason !== undefined && { reason }),
    durationMs,
  };
}
