import { explanationOf } from "./explanations.ts";
import type { Change } from "./try-part.ts";

const MAX_QUOTED_UNITS = 60;

/** Share of a folder's changes that tests noticed, in percent; what a comment leaves out does not count. */
export function scoreOf(changes: readonly Change[]): number {
  const tried = changes.filter(({ fate }) => fate !== "left out");
  return (100 * tried.filter(isNoticed).length) / tried.length;
}

/** A row of the table of scores. */
export function scoreRow(folder: string, changes: readonly Change[]): readonly string[] {
  const leftOut = changes.filter(({ fate }) => fate === "left out").length;
  const unnoticed = changes.filter(isUnnoticed).length;
  const counts = [changes.length - leftOut, unnoticed, leftOut];
  return [folder, `${scoreOf(changes).toFixed(1)} %`, ...counts.map(String)];
}

/** Formats a list for each file, one entry a line of code. */
export function formatSurvivors(changes: readonly Change[]): readonly string[] {
  const survivors = changes.filter(isUnnoticed);
  const files = Map.groupBy(survivors, ({ file }) => file);
  return [...files].map(([file, ofFile]) => {
    const lines = Map.groupBy(ofFile, ({ line }) => line);
    const entries = [...lines].map(([line, ofLine]) => formatLine(line, ofLine));
    return [`\`${file}\`, ${ofFile.length}`, "", ...entries].join("\n");
  });
}

function formatLine(line: number, changes: readonly Change[]): string {
  const reasons = [...new Set(changes.flatMap((change) => explanationOf(change) ?? []))];
  const printed = changes.map(formatChange).join("; ");
  return [`- ${line}: ${printed}`, ...reasons.map((reason) => `*${reason}*`)].join(". ");
}

function formatChange({ mutator, original, replacement, fate }: Change): string {
  const untested = fate === "without a test" ? " (no test reaches it)" : "";
  return `${mutator} ${quote(original)} → ${quote(replacement)}${untested}`;
}

/** Short, on one line, and harmless inside Markdown. */
function quote(code: string): string {
  const flat = code.replaceAll(/\s+/g, " ").replaceAll("`", "'");
  const short = flat.length > MAX_QUOTED_UNITS ? `${flat.slice(0, MAX_QUOTED_UNITS - 1)}…` : flat;
  return `\`${short === "" ? " " : short}\``;
}

function isUnnoticed(change: Change): boolean {
  return change.fate !== "left out" && !isNoticed(change);
}

function isNoticed({ fate }: Change): boolean {
  return fate === "killed" || fate === "timed out";
}
