import { countOf } from "../../../core/text/count-of.ts";
import { type JunitCase, type JunitSuite, formatJunitXml } from "../../../core/text/junit.ts";
import { onOneLine } from "../../../core/text/shorten.ts";
import { formatTable, type TableColumn } from "../../../core/text/text-table.ts";
import type { CheckedPackage, CheckProblem } from "./checked-package.ts";

// A checked package as text, as JSON and as JUnit XML.

const COLUMNS: readonly TableColumn[] = [
  { heading: "", align: "right" },
  { heading: "", align: "left" },
  { heading: "", align: "left" },
  { heading: "", align: "left" },
];

/** Formats what a person reads about a package; undefined if it matches. */
export function formatCheckText({ folder, problems, hint }: CheckedPackage): string | undefined {
  const sentences = problems.filter(isAboutPackage).map(({ sentence }) => sentence);
  if (hint !== undefined) sentences.push(hint);
  const rows = formatProblems(problems.filter((problem) => !isAboutPackage(problem)));
  const lines = [
    ...sentences.map((sentence) => onOneLine(`${folder}: ${sentence}`)),
    ...(rows.length === 0 ? [] : [onOneLine(`${folder}:`), ...rows.map((row) => `  ${row}`)]),
  ];
  return lines.length === 0 ? undefined : lines.join("\n");
}

function isAboutPackage({ sound, changes }: CheckProblem): boolean {
  return sound === null && changes.length === 0;
}

/**
 * Formats problems as lines (rule B3), such as `2  Acid Runner  Warp mode  Tones → Complex`: the sound's number and
 * name, the setting, the accepted value and the current one.
 */
export function formatProblems(problems: readonly CheckProblem[]): readonly string[] {
  const rows = problems.flatMap(({ number, name, label, sentence, changes }) => {
    const said = changes.length === 0 ? [sentence] : changes.map((change) => change.join(" → "));
    return said.map((words) => [String(number ?? "–"), name, label, words].map(onOneLine));
  });
  const [, , ...lines] = formatTable(COLUMNS, rows);
  return lines;
}

/** Converts a package to JSON (rule K5), without its folder. */
export function checkJson({ status, manifestPath, problems, hint }: CheckedPackage): object {
  const differences = problems.flatMap(({ difference, place }) =>
    difference === undefined ? [] : [{ ...difference, file: manifestPath, ...place }],
  );
  const failure = problems.find(({ code }) => code === "error" && differences.length === 0);
  return {
    ...(status !== "broken" && { same: status === "same", status }),
    ...(differences.length > 0 && { differences }),
    ...(hint !== undefined && { hint }),
    ...(failure !== undefined && {
      error: failure.sentence,
      file: manifestPath,
      ...failure.place,
    }),
  };
}

/** Formats packages as JUnit XML: a suite for each, with a case for the package and one for each sound. */
export function formatCheckJunit(packages: readonly CheckedPackage[]): string {
  return formatJunitXml(packages.map(suiteOf));
}

function suiteOf({ folder, manifestPath, status, sounds, problems }: CheckedPackage): JunitSuite {
  const names = new Map(sounds.map(({ id, name }) => [id, name]));
  // Sounds that are no longer there come last.
  for (const { sound, name } of problems) {
    if (sound !== null && !names.has(sound)) names.set(sound, name);
  }
  const caseOf = (name: string, about: readonly CheckProblem[]): JunitCase => {
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
  const ofPackage = problems.filter(({ sound }) => sound === null);
  const ofSounds = [...names].map(([id, name]) =>
    caseOf(
      name,
      problems.filter(({ sound }) => sound === id),
    ),
  );
  return { name: folder, cases: [caseOf("Package", ofPackage), ...ofSounds] };
}
