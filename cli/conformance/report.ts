/** The result of one check. */
export interface CheckResult {
  readonly rule: string;
  readonly id: string;
  readonly title: string;
  /** `hindered` is the report's name for inconclusive. */
  readonly outcome: "passed" | "failed" | "skipped" | "hindered";
  /** A sentence, unless it passed. */
  readonly reason?: string;
  readonly durationMs: number;
}

/** The result of a run, as `--json` prints it (rule Q5). */
export interface Report {
  readonly relay: string;
  /** True if every check that should have run did and passed (rule Q3). */
  readonly keeps_the_contract: boolean;
  readonly passed: number;
  readonly failed: number;
  readonly hindered: number;
  readonly skipped: number;
  /** Each once. */
  readonly broken_rules: readonly string[];
  readonly checks: readonly CheckResult[];
}

export function buildReport(relay: string, checks: readonly CheckResult[]): Report {
  const count = (outcome: CheckResult["outcome"]) =>
    checks.filter((check) => check.outcome === outcome).length;
  const [passed, failed, inconclusive] = [count("passed"), count("failed"), count("hindered")];
  const broken = checks.filter(({ outcome }) => outcome === "failed").map(({ rule }) => rule);
  return {
    relay,
    keeps_the_contract: failed === 0 && inconclusive === 0 && passed > 0,
    passed,
    failed,
    hindered: inconclusive,
    skipped: count("skipped"),
    broken_rules: [...new Set(broken)],
    checks,
  };
}
