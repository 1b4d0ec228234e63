import { checkLiveSet } from "../../../core/live-set/check/check-live-set.ts";
import { FindingList } from "../../../core/live-set/check/finding-list.ts";
import type { SetFinding } from "../../../core/live-set/check/set-finding.ts";
import { SCHEMA_VERSION } from "../../../core/live-set/schema/live-set.ts";
import { XmlUnreadable } from "../../../core/live-set/xml-tree.ts";
import { countOf } from "../../../core/text/count-of.ts";
import { outputFor } from "../../output.ts";
import { findSetFiles } from "./find-files.ts";
import { readSet, SetUnreadable } from "../../../addon/hosts/live-set/read-set.ts";

/** A Set as `--json` prints it. */
type CheckedSet =
  | {
      readonly file: string;
      readonly schema: string | null;
      readonly members_judged: boolean;
      readonly findings: readonly SetFinding[];
      readonly notes: readonly SetFinding[];
      /** Findings and notes that aren't listed. */
      readonly more: number;
      readonly not_judged: readonly { readonly element: string; readonly count: number }[];
    }
  | { readonly file: string; readonly error: string };

/** Checks Sets one after the other and gives the result (rule LS20). */
export async function checkSets(
  files: readonly string[],
  flags: { readonly json?: boolean },
): Promise<void> {
  const sets: CheckedSet[] = [];
  for (const file of files) sets.push(await checkSet(file));
  outputFor(flags).give({ sets }, [...sets.map(formatSet), formatTotal(sets)].join("\n"));
  const isRead = sets.every((set) => !("error" in set));
  process.exitCode = isRead ? (countFindings(sets) > 0 ? 1 : 0) : 2;
}

async function checkSet(file: string): Promise<CheckedSet> {
  const list = new FindingList();
  try {
    const document = await readSet(file, list);
    const { schema } = checkLiveSet(document, await findSetFiles(document.root, file), list);
    return {
      file,
      schema: schema.name,
      members_judged: schema.isTables,
      findings: list.faults,
      notes: list.notes,
      more: list.dropped,
      not_judged: [...list.notJudged].map(([element, count]) => ({ element, count })),
    };
  } catch (error) {
    if (!(error instanceof SetUnreadable || error instanceof XmlUnreadable)) throw error;
    return { file, error: error.message };
  }
}

function countFindings(sets: readonly CheckedSet[]): number {
  return sets.reduce((sum, set) => sum + ("error" in set ? 0 : set.findings.length), 0);
}

function formatSet(set: CheckedSet): string {
  if ("error" in set) return `${set.file}: ${set.error}`;
  const { file, schema, members_judged: isJudged, more, not_judged: left } = set;
  const elements = left.map(({ element, count }) => `${count} × ${element}`).join(", ");
  return [
    `${file}: ${schema === null ? "unknown schema" : `schema ${schema}`}`,
    ...set.findings.map((finding) => formatFinding("wrong", finding)),
    ...set.notes.map((note) => formatFinding("note ", note)),
    ...(more > 0 ? [`  … and ${more} more`] : []),
    ...(isJudged ? [] : [`  Its members aren't judged: only ${SCHEMA_VERSION} is described.`]),
    ...(elements === "" ? [] : [`  Not judged inside: ${elements}.`]),
  ].join("\n");
}

function formatFinding(kind: string, { path, line, sentence, live }: SetFinding): string {
  const place = line === null ? path : `${path}, line ${line}`;
  const refusal = live === undefined ? [] : [`         Live: ${live}`];
  return [`  ${kind}  ${place}`, `         ${sentence}`, ...refusal].join("\n");
}

/** The last line: no Set was yet opened in Live to compare, so that no findings prove nothing. */
function formatTotal(sets: readonly CheckedSet[]): string {
  const counts = `${countOf(sets.length, "Set")}, ${countOf(countFindings(sets), "finding")}`;
  return `${counts}. This check was not yet compared with a real Live.`;
}
