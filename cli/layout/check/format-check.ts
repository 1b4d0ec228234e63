import { countOf } from "../../../core/text/count-of.ts";
import { type JunitCase, type JunitSuite, formatJunitXml } from "../../../core/text/junit.ts";
import { onOneLine } from "../../../core/text/shorten.ts";
import { formatTable, type TableColumn } from "../../../core/text/text-table.ts";
import type { CheckedPackage, CheckProblem, DescribedProblem } from "./checked-package.ts";

// A checked package as text, as JSON and as JUnit XML.

const COLUMNS: readonly TableColumn[] = [
  { heading: "", align: "right" },
  { heading: "", align: "left" },
  { heading: "", align: "left" },
  { heading: "", align: "left" },
];

/** The words for a problem in reports. */
export const SEVERITIES = { error: "Error", warning: "Warning" } as const;

/** Formats what a person reads about a package; undefined if there is nothing to say. */
export function formatCheckText({ folder, problems, hints }: CheckedPackage): string | undefined {
  const of = (...kinds: readonly CheckProblem["kind"][]): readonly CheckProblem[] =>
    problems.filter(({ kind }) => kinds.includes(kind));
  return formatLines(folder, [
    ...of("golden", "file").map(withName),
    ...hints.map(({ hint }) => onOneLine(hint)),
    ...of("finding").map((problem) => `${SEVERITIES[problem.severity]}: ${withName(problem)}`),
    ...formatProblems(of("setting")),
    ...of("audio").map(withName),
  ]);
}

/** One sentence stands beside its folder, several lines below it. */
function formatLines(folder: string, lines: readonly string[]): string | undefined {
  const [only, another] = lines;
  if (only === undefined) return undefined;
  if (another === undefined && /^[^\s].*\.$/.test(only)) return `${onOneLine(folder)}: ${only}`;
  return [`${onOneLine(folder)}:`, ...lines.map((line) => `  ${line}`)].join("\n");
}

/** A problem's sentence, which names the sound. */
export function withName({ kind, name, sentence }: CheckProblem): string {
  if (kind === "finding") return onOneLine(`${name} ${sentence}`);
  const isNamed = name === "" || sentence.includes(`"${name}"`);
  return onOneLine(isNamed ? sentence : `${name}: ${sentence}`);
}

/**
 * Formats problems as lines (rule B3), such as `2  Acid Runner  Warp mode  Tones → Complex`: the sound's number and
 * name, the setting, the accepted value and the current one.
 */
export function formatProblems(problems: readonly DescribedProblem[]): readonly string[] {
  const rows = problems.flatMap(({ number, name, label, sentence, changes }) => {
    const said = changes.length === 0 ? [sentence] : changes.map((change) => change.join(" → "));
    return said.map((words) => [String(number ?? "–"), name, label, words].map(onOneLine));
  });
  const [, , ...lines] = formatTable(COLUMNS, rows);
  return lines;
}

/** Converts a package to JSON (rule K5), without its folder. */
export function checkJson(checked: CheckedPackage): object {
  const { status, code, manifestPath: file, problems, hints } = checked;
  const golden = problems.find(({ kind }) => kind === "golden");
  const errors = problems.flatMap((problem) => {
    const { kind, sound, code, place } = problem;
    return kind === "file" ? [{ sound, code, error: withName(problem), file, ...place }] : [];
  });
  const findings = problems.flatMap(({ finding, severity, place }) =>
    finding === undefined ? [] : [{ severity, ...finding, file, ...place }],
  );
  const differences = checked.differences.map(({ place, ...one }) => ({ ...one, file, ...place }));
  return {
    ...(status !== "broken" && { same: status === "same", status }),
    ...(golden !== undefined && { error: golden.sentence }),
    // A mistyped path has no manifest.
    ...(code !== undefined ? { code } : golden !== undefined && { file, ...golden.place }),
    ...(errors.length > 0 && { errors }),
    ...(differences.length > 0 && { differences }),
    ...(hints.length > 0 && { hints }),
    ...(findings.length > 0 && { findings }),
  };
}

/** Formats packages as JUnit XML: a suite for each, with a case for the package and one for each sound. */
export function formatCheckJunit(packages: readonly CheckedPackage[]): string {
  return formatJunitXml(packages.map(suiteOf));
}

function suiteOf({ folder, manifestPath, status, sounds, problems }: CheckedPackage): JunitSuite {
  const caseOf = (name: string, id: string | null): JunitCase => {
    const about = problems.filter(({ sound }) => sound === id);
    const output = about.filter(({ severity }) => severity === "warning");
    const failures = about.filter(({ severity }) => severity === "error");
    const [first, second] = failures.map(({ sentence }) => sentence);
    const message = second === undefined ? first : countOf(failures.length, "problem");
    const kind = status === "broken" ? "error" : "failure";
    const lineOf = ({ sentence, place }: CheckProblem): string =>
      `${manifestPath}${place === null ? "" : `:${place.line}:${place.column}`}: ${sentence}`;
    return {
      className: folder,
      name,
      file: manifestPath,
      ...(message !== undefined && {
        outcome: { kind, message, lines: failures.map(lineOf) },
      }),
      output: output.map(lineOf),
    };
  };
  const ofSounds = sounds.map(({ id, name }) => caseOf(name, id));
  return { name: folder, cases: [caseOf("Package", null), ...ofSounds] };
}
