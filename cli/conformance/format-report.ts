import { escapeXml, formatJunitXml, type JunitCase } from "../../core/text/junit.ts";
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
function sumUp({
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

/** Formats the reasons of checks that did not pass; skipped checks are grouped by reason. */
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

/** Formats the report as JUnit XML: one suite with a test case per check, its rule as the class. */
export function formatJunit({ relay, checks }: Report): string {
  const cases = checks.map(({ rule, id, title, outcome, reason = "", durationMs }): JunitCase => {
    const kind = JUNIT_KINDS[outcome];
    return {
      className: `${rule}.${id}`,
      name: `[${rule}] ${title}`,
      seconds: durationMs / 1000,
      ...(kind !== null && { outcome: { kind, message: reason } }),
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

const LABEL = "Soundferry relay";
/** An estimate; `textLength` then fits the text to its box. */
const LETTER_WIDTH = 6.6;
const MARGIN = 10;

/** The badge as data for shields.io's endpoint badge. */
export function badgeJson(report: Report) {
  const { passed, failed, hindered: inconclusive, keeps_the_contract: isKept } = report;
  const message = isKept
    ? `${passed} checks passed`
    : `${failed + inconclusive} of ${passed + failed + inconclusive} checks failed`;
  return { schemaVersion: 1, label: LABEL, message, color: isKept ? "2e7d32" : "c62828" };
}

/** The badge as an SVG, for a README that needs no server. */
export function badgeSvg(report: Report): string {
  const { label, message, color } = badgeJson(report);
  const [left, right] = [label, message].map(
    (text) => Math.round(text.length * LETTER_WIDTH) + 2 * MARGIN,
  );
  if (left === undefined || right === undefined) return "";
  const name = escapeXml(`${label}: ${message}`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${name}">`,
    `  <title>${name}</title>`,
    `  <clipPath id="round"><rect width="${left + right}" height="20" rx="3"/></clipPath>`,
    '  <g clip-path="url(#round)" fill="#fff" font-family="Verdana, sans-serif" font-size="11">',
    `    <rect width="${left}" height="20" fill="#424242"/>`,
    `    <rect x="${left}" width="${right}" height="20" fill="#${color}"/>`,
    `    ${fitText(label, 0, left)}`,
    `    ${fitText(message, left, right)}`,
    "  </g>",
    "</svg>",
    "",
  ].join("\n");
}

function fitText(text: string, x: number, width: number): string {
  return `<text x="${x + MARGIN}" y="14" textLength="${width - 2 * MARGIN}">${escapeXml(text)}</text>`;
}
