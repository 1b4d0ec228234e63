import { isJsonObject, type JsonObject } from "../../core/text/json-object.ts";
import type { JournalStep } from "../hosts/host.ts";
import { parseJson } from "../../core/text/parse-json.ts";

/** The file extension of journals. */
export const JOURNAL_ENDING = ".jsonl";

export type JournalLine =
  | {
      readonly kind: "begin";
      readonly run_id: string;
      readonly host: string;
      readonly title: string;
      readonly at: string;
    }
  | {
      readonly kind: "step";
      readonly step: number;
      readonly label: string;
      readonly leaves_nothing?: true;
    }
  | { readonly kind: "done"; readonly step: number; readonly outcome: JournalStep["outcome"] }
  | { readonly kind: "failed"; readonly step: number }
  | { readonly kind: "undone"; readonly at: string; readonly keeps_earlier?: true }
  | { readonly kind: "end"; readonly status: string; readonly at: string };

/** What a journal records about its package. */
export interface RunRecord {
  /** For people; empty in an empty journal. */
  readonly title: string;
  /** Names of the hosts where a run placed at least one sound. */
  readonly importedInto: ReadonlySet<string>;
  /** By host name: its last run, if that did not end. */
  readonly unfinished: ReadonlyMap<string, UnfinishedRun>;
}

export interface UnfinishedRun {
  readonly runId: string;
  /** Oldest first. */
  readonly steps: readonly JournalStep[];
}

/** Parses a journal and skips broken lines, such as the last one after a crash. */
export function readJournalText(text: string): RunRecord {
  const reader = new JournalReader();
  for (const line of text.split("\n")) {
    const entry = parseJson(line);
    if (isJsonObject(entry)) reader.take(entry);
  }
  return reader;
}

/**
 * Compacts a journal to the fewest lines with the same meaning (rule R8).
 * @param writtenAtMs the new lines' timestamp, in milliseconds since 1970
 */
export function shortenJournal(text: string, writtenAtMs: number): string {
  const { title, importedInto, unfinished } = readJournalText(text);
  const at = new Date(writtenAtMs).toISOString();
  const lines: JournalLine[] = [];
  for (const host of importedInto) {
    lines.push({ kind: "begin", run_id: "", host, title, at });
    lines.push({ kind: "end", status: "imported", at });
  }
  for (const [host, { runId, steps }] of unfinished) {
    lines.push({ kind: "begin", run_id: runId, host, title, at });
    // A step whose line was broken is a hole in the array.
    Object.values(steps).forEach((step, index) => lines.push(...linesOf(step, index + 1)));
  }
  return lines.map(formatLine).join("");
}

export function formatLine(line: JournalLine): string {
  return `${JSON.stringify(line)}\n`;
}

function linesOf({ label, state, outcome, leavesNothing }: JournalStep, step: number) {
  const lines: JournalLine[] = [stepLine(step, label, leavesNothing === true)];
  if (state === "failed") lines.push({ kind: "failed", step });
  if (state === "done") lines.push({ kind: "done", step, outcome: outcome ?? null });
  return lines;
}

export function stepLine(step: number, label: string, leavesNothing: boolean): JournalLine {
  return { kind: "step", step, label, ...(leavesNothing && { leaves_nothing: true }) };
}

class JournalReader implements RunRecord {
  title = "";
  readonly importedInto = new Set<string>();
  readonly unfinished = new Map<string, { readonly runId: string; steps: JournalStep[] }>();
  #host = "";
  /** Steps of the run before it was resumed; the resumed run's step 1 follows them. */
  #stepsBefore = 0;

  take(entry: JsonObject): void {
    const run = this.unfinished.get(this.#host);
    if (entry["kind"] === "begin") {
      this.title = typeof entry["title"] === "string" ? entry["title"] : "";
      this.#begin(String(entry["host"]), String(entry["run_id"]));
    } else if (entry["kind"] === "end") {
      if (entry["status"] !== "failed") this.importedInto.add(this.#host);
      this.unfinished.delete(this.#host);
    } else if (entry["kind"] === "undone") {
      run?.steps.splice(entry["keeps_earlier"] === true ? this.#stepsBefore : 0);
    } else if (run !== undefined) {
      const index = this.#stepsBefore + Number(entry["step"]) - 1;
      const step = stepAfter(run.steps[index], entry);
      if (step !== undefined) run.steps[index] = step;
    }
  }

  #begin(host: string, runId: string): void {
    this.#host = host;
    const run = this.unfinished.get(host);
    this.#stepsBefore = run?.runId === runId ? run.steps.length : 0;
    if (run?.runId !== runId) this.unfinished.set(host, { runId, steps: [] });
  }
}

function stepAfter(begun: JournalStep | undefined, entry: JsonObject): JournalStep | undefined {
  if (entry["kind"] === "step") {
    const leavesNothing = entry["leaves_nothing"] === true;
    return {
      label: String(entry["label"]),
      state: "begun",
      ...(leavesNothing && { leavesNothing }),
    };
  }
  if (begun === undefined) return undefined;
  if (entry["kind"] === "failed") {
    const { outcome: _, ...step } = begun;
    return { ...step, state: "failed" };
  }
  return { ...begun, state: "done", outcome: outcomeOf(entry["outcome"]) };
}

function outcomeOf(value: unknown): string | number | boolean | null {
  const isPlain = typeof value === "string" || typeof value === "number";
  return isPlain || typeof value === "boolean" ? value : null;
}
