import { countOf } from "../../../core/text/count-of.ts";
import { onOneLine } from "../../../core/text/shorten.ts";
import { utf8Length } from "../../../core/text/utf8.ts";
import { type CheckedPackage, titleOf } from "./checked-package.ts";
import { SEVERITIES, withName } from "./format-check.ts";

// What GitHub Actions shows: annotations at the manifest's lines, and the step's summary (rule B10).

/** Annotations of one severity that GitHub shows for a step. */
const MAX_ANNOTATIONS = 10;
/** Bytes that GitHub takes as the summary of a step. */
export const MAX_SUMMARY_BYTES = 1024 ** 2;

/**
 * Formats the workflow commands for annotations, at most ten errors and ten warnings, each package's first problem
 * before any package's second. A notice says how many are left out.
 * @param repositoryPath returns a path as it is in the repository, with slashes
 */
export function formatAnnotations(
  packages: readonly CheckedPackage[],
  repositoryPath: (path: string) => string,
): readonly string[] {
  const shown = (["error", "warning"] as const).flatMap((severity) => {
    const some = packages.flatMap((checked) =>
      checked.problems
        .filter((problem) => problem.severity === severity)
        .map((problem, rank) => ({ checked, problem, rank })),
    );
    const first = new Set(some.toSorted((a, b) => a.rank - b.rank).slice(0, MAX_ANNOTATIONS));
    return some.filter((one) => first.has(one));
  });
  const commands = shown.map(({ checked, problem }) => {
    const { severity, place } = problem;
    const properties = {
      file: repositoryPath(checked.manifestPath),
      ...(place !== null && { line: place.line, col: place.column }),
      title: onOneLine(titleOf(checked)),
    };
    return formatCommand(severity, properties, withName(problem));
  });
  const more = packages.flatMap(({ problems }) => problems).length - shown.length;
  if (more === 0) return commands;
  const left = `${countOf(more, "more problem")} ${more === 1 ? "is" : "are"} only in the summary of this step.`;
  return [...commands, formatCommand("notice", { title: "Layouts" }, left)];
}

function formatCommand(
  name: string,
  properties: Readonly<Record<string, string | number>>,
  message: string,
): string {
  const pairs = Object.entries(properties).map(([key, value]) => `${key}=${inProperty(value)}`);
  return `::${name} ${pairs.join(",")}::${inMessage(message)}`;
}

function inMessage(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function inProperty(value: string | number): string {
  return inMessage(String(value)).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/**
 * Wraps text so that GitHub runs no command in it: names and folders come from other people.
 * @param token a text that nobody can guess
 */
export function withoutCommands(text: string, token: string): string {
  return `::stop-commands::${token}\n${text}\n::${token}::`;
}

/**
 * Formats the summary of the step as Markdown: every package with problems, and all of them.
 * @param summary a sentence that counts the packages
 * @param maxBytes what is longer is cut, and a sentence says so
 */
export function formatSummary(
  packages: readonly CheckedPackage[],
  summary: string,
  repositoryPath: (path: string) => string,
  maxBytes: number,
): string {
  const differing = packages.filter(({ problems }) => problems.length > 0);
  const isGood = packages.every(({ status }) => status === "same");
  const advice = [
    "To see and hear the packages, run `soundferry preview`. If the changes are intended, accept them with",
    "`soundferry layout --update`, and commit `expected/` with them.",
  ].join(" ");
  const lines = [
    isGood ? "## All layouts are as accepted" : "## Some layouts differ from the accepted ones",
    "",
    escapeMarkdown(summary),
    "",
    ...(isGood ? [] : [advice, ""]),
    ...differing.flatMap((checked) => formatPackage(checked, repositoryPath)),
  ];
  return cutLines(lines, maxBytes);
}

function formatPackage(
  checked: CheckedPackage,
  repositoryPath: (path: string) => string,
): readonly string[] {
  const file = repositoryPath(checked.manifestPath);
  const heading = checked.scene === null ? file : `${checked.scene}: ${file}`;
  const rows = checked.problems.flatMap((problem) => {
    const { name, label, sentence, changes, place } = problem;
    const sound = name === "" ? "the package" : name;
    const line = place === null ? "" : String(place.line);
    // A changed sound may be meant.
    const what =
      problem.kind === "audio" ? sentence : `${SEVERITIES[problem.severity]}: ${sentence}`;
    const said =
      changes.length === 0
        ? [[what, "", ""]]
        : changes.map(([accepted, now]) => [label, accepted, now]);
    return said.map((cells) => formatRow([sound, ...cells, line]));
  });
  return [
    `### ${escapeMarkdown(heading)}`,
    "",
    "| Sound | What | Accepted | Now | Line |",
    "| --- | --- | --- | --- | ---: |",
    ...rows,
    "",
  ];
}

function formatRow(cells: readonly string[]): string {
  return `| ${cells.map(escapeMarkdown).join(" | ")} |`;
}

/** Escapes text for the middle of a line of Markdown: it is no markup, no link and no cell of its own. */
export function escapeMarkdown(text: string): string {
  return onOneLine(text)
    .trim()
    .replaceAll(/[\\`*_[\]<>|~&#$@!]|:(?=\/\/)|(?<=www)\./gi, "\\$&");
}

const CUT =
  "The rest doesn't fit into the summary of a step. Run `soundferry layout --check` to see all.";

function cutLines(lines: readonly string[], maxBytes: number): string {
  const whole = `${lines.join("\n")}\n`;
  if (utf8Length(whole) <= maxBytes) return whole;
  let room = maxBytes - utf8Length(`\n${CUT}\n`);
  const kept: string[] = [];
  for (const line of lines) {
    room -= utf8Length(line) + 1;
    if (room < 0) break;
    kept.push(line);
  }
  return maxBytes < utf8Length(CUT) + 2 ? "" : [...kept, "", CUT, ""].join("\n");
}
