import { escapeHtml } from "./escape-html.ts";

/** A test suite of a JUnit report. */
export interface JunitSuite {
  readonly name: string;
  readonly cases: readonly JunitCase[];
}

/** A test case; it passed if it has no `outcome`. */
export interface JunitCase {
  readonly className: string;
  readonly name: string;
  readonly seconds?: number;
  /** The file that it is about. */
  readonly file?: string;
  readonly outcome?: {
    readonly kind: "failure" | "error" | "skipped";
    readonly message: string;
    /** More lines. */
    readonly lines?: readonly string[];
  };
  /** Lines that are no failure. */
  readonly output?: readonly string[];
}

/** Formats suites as JUnit XML. Any text may be in it: XML gets only characters that it can have. */
export function formatJunitXml(suites: readonly JunitSuite[]): string {
  const lines = suites.flatMap((suite) => [
    `  <testsuite name="${escapeXml(suite.name)}" ${totalsOf(suite.cases)}>`,
    ...suite.cases.map(formatCase),
    "  </testsuite>",
  ]);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${totalsOf(suites.flatMap(({ cases }) => cases))}>`,
    ...lines,
    "</testsuites>",
    "",
  ].join("\n");
}

function totalsOf(cases: readonly JunitCase[]): string {
  const count = (kind: string): number =>
    cases.filter(({ outcome }) => outcome?.kind === kind).length;
  const seconds = cases.reduce((sum, one) => sum + (one.seconds ?? 0), 0);
  return `tests="${cases.length}" failures="${count("failure")}" errors="${count("error")}" skipped="${count("skipped")}" time="${Number(seconds.toFixed(6))}"`;
}

function formatCase({ className, name, seconds = 0, file, outcome, output = [] }: JunitCase) {
  const place = file === undefined ? "" : ` file="${escapeXml(file)}"`;
  const start = `    <testcase classname="${escapeXml(className)}" name="${escapeXml(name)}"${place} time="${seconds}"`;
  const inside = [
    ...(outcome === undefined ? [] : [formatOutcome(outcome)]),
    ...(output.length === 0 ? [] : [`<system-out>${formatLines(output)}</system-out>`]),
  ].join("");
  return inside === "" ? `${start}/>` : `${start}>${inside}</testcase>`;
}

function formatOutcome({ kind, message, lines = [] }: NonNullable<JunitCase["outcome"]>): string {
  const start = `<${kind} message="${escapeXml(message)}"`;
  return lines.length === 0 ? `${start}/>` : `${start}>${formatLines(lines)}</${kind}>`;
}

function formatLines(lines: readonly string[]): string {
  return lines.map(escapeXml).join("\n");
}

/** Escapes text for XML. Control characters are replaced, because XML can't represent them. */
export function escapeXml(text: string): string {
  return escapeHtml(text.replaceAll(/[\p{Cc}\p{Cs}\u{FFFE}\u{FFFF}]/gu, "\u{FFFD}"));
}
