import { isJsonObject, type JsonObject } from "../../core/text/json-object.ts";
import type { SoundResult, SoundResults } from "../../core/protocol/package-status.ts";
import type { JournalStep } from "../hosts/host.ts";
import type { Reporter } from "../relay/relay-port.ts";
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
      /** Ids of the chosen sounds; absent where nobody chose. */
      readonly sounds?: readonly string[];
      /** The relay that gets the report, and this computer's device there; absent for a local package. */
      readonly relay?: string;
      readonly device?: string;
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
  /** A person canceled the run, which ends their choice of sounds. */
  | { readonly kind: "cancelled"; readonly at: string }
  /** A later look at a finished run at that host found other results of some sounds. */
  | {
      readonly kind: "amended";
      readonly host: string;
      readonly at: string;
      readonly results: SoundResults;
    }
  | EndLine;

export interface EndLine {
  readonly kind: "end";
  readonly status: string;
  readonly at: string;
  /** Results of the sounds that the run was about. */
  readonly results?: SoundResults;
  /** Set where the host keeps nothing of earlier runs. */
  readonly replaces_earlier?: true;
}

/** The end of a run, as its report carries it. */
export interface ReportedEnd {
  readonly run_id: string;
  readonly host: string;
  readonly title: string;
  readonly end: EndLine;
}

/** The record of a package's runs. */
export interface RunRecord {
  /** The package's title, for people; empty in an empty journal. */
  readonly title: string;
  /** Names of the hosts where a run placed at least one sound. */
  readonly importedInto: ReadonlySet<string>;
  /** By host name, the latest last, the newest result of each sound that a run there was about. */
  readonly results: ReadonlyMap<string, ReadonlyMap<string, SoundResult>>;
  /** By host name, its last run, if that did not end. */
  readonly unfinished: ReadonlyMap<string, UnfinishedRun>;
  /** The relay that the last run with one reported to; undefined for a local package. */
  readonly reportsTo?: Reporter | undefined;
}

export interface UnfinishedRun {
  readonly runId: string;
  /** Ids of the chosen sounds; undefined where nobody chose, and after a cancel. */
  readonly soundIds?: readonly string[] | undefined;
  /** Steps, the oldest first. */
  readonly steps: readonly JournalStep[];
}

/** Parses a journal and skips broken lines, such as the last one after a crash. */
export function readJournalText(text: string): RunRecord {
  const reader = new JournalReader(text.length);
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
  const { title, importedInto, results, unfinished, reportsTo } = readJournalText(text);
  const at = new Date(writtenAtMs).toISOString();
  const lines: JournalLine[] = [];
  const silent = [...importedInto].filter((host) => !results.has(host));
  for (const host of [...silent, ...results.keys()]) {
    const status = importedInto.has(host) ? "imported" : "failed";
    lines.push({ kind: "begin", run_id: "", host, title, at, ...reporterPart(reportsTo) });
    lines.push({ kind: "end", status, at, ...resultsPart(results.get(host)) });
  }
  for (const [host, { runId, soundIds, steps }] of unfinished) {
    const sounds = soundIds === undefined ? {} : { sounds: soundIds };
    const reporter = reporterPart(reportsTo);
    lines.push({ kind: "begin", run_id: runId, host, title, at, ...sounds, ...reporter });
    // A step whose line was broken is a hole in the array.
    Object.values(steps).forEach((step, index) => lines.push(...linesOf(step, index + 1)));
  }
  return lines.map(formatLine).join("");
}

/** Returns what a run's first line says of its relay. */
export function reporterPart(reporter: Reporter | undefined) {
  if (reporter === undefined) return {};
  const { relayUrl: relay, deviceId: device } = reporter;
  return { relay, ...(device !== undefined && { device }) };
}

function resultsPart(results: ReadonlyMap<string, SoundResult> | undefined) {
  return results === undefined ? {} : { results: Object.fromEntries(results) };
}

/** Checks a value only roughly: `reportedEnd` made it. */
export function isReportedEnd(value: unknown): value is ReportedEnd {
  return isJsonObject(value) && isJsonObject(value["end"]) && value["end"]["kind"] === "end";
}

/** Returns the lines that end a run, whichever run the journal's last line belongs to. */
export function formatEnd({ end, ...run }: ReportedEnd): string {
  return [{ kind: "begin", ...run, at: end.at } as const, end].map(formatLine).join("");
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
  readonly #maxSteps: number;
  title = "";
  readonly importedInto = new Set<string>();
  readonly results = new Map<string, ReadonlyMap<string, SoundResult>>();
  readonly unfinished = new Map<string, OpenRun>();
  reportsTo: Reporter | undefined;
  #host = "";
  /** Number of the run's steps before it was resumed; the resumed run's step 1 follows them. */
  #stepsBefore = 0;

  constructor(maxSteps: number) {
    this.#maxSteps = maxSteps;
  }

  take(entry: JsonObject): void {
    const run = this.unfinished.get(this.#host);
    if (entry["kind"] === "begin") {
      this.title = textOf(entry["title"]);
      this.reportsTo = reporterIn(entry) ?? this.reportsTo;
      this.#begin(textOf(entry["host"]), textOf(entry["run_id"]), idsIn(entry["sounds"]));
    } else if (entry["kind"] === "end") {
      if (entry["status"] !== "failed") this.importedInto.add(this.#host);
      this.#noteResults(entry);
      this.unfinished.delete(this.#host);
    } else if (entry["kind"] === "amended") {
      this.#amendResults(textOf(entry["host"]), readResults(entry["results"]));
    } else if (entry["kind"] === "cancelled") {
      if (run !== undefined) run.soundIds = undefined;
    } else if (entry["kind"] === "undone") {
      run?.steps.splice(entry["keeps_earlier"] === true ? this.#stepsBefore : 0);
    } else if (run !== undefined) {
      this.#takeStep(run.steps, entry);
    }
  }

  /** Reads a step's line. A number that is missing, or larger than the text can hold, means a broken line. */
  #takeStep(steps: JournalStep[], entry: JsonObject): void {
    const { step: number } = entry;
    if (typeof number !== "number" || !Number.isInteger(number)) return;
    if (number < 1 || number > this.#maxSteps) return;
    const index = this.#stepsBefore + number - 1;
    const step = stepAfter(steps[index], entry);
    if (step !== undefined) steps[index] = step;
  }

  #begin(host: string, runId: string, soundIds: readonly string[] | undefined): void {
    this.#host = host;
    const run = this.unfinished.get(host);
    this.#stepsBefore = run?.runId === runId ? run.steps.length : 0;
    const steps = run?.runId === runId ? run.steps : [];
    this.unfinished.set(host, { runId, ...(soundIds !== undefined && { soundIds }), steps });
  }

  /** Replaces results of a host, which keeps its place: another host's run may have ended since. */
  #amendResults(host: string, results: ReadonlyMap<string, SoundResult>): void {
    const before = this.results.get(host);
    if (before !== undefined) this.results.set(host, new Map([...before, ...results]));
  }

  #noteResults(entry: JsonObject): void {
    const own = readResults(entry["results"]);
    if (own.size === 0) return;
    const before = entry["replaces_earlier"] === true ? [] : (this.results.get(this.#host) ?? []);
    // Deleted first: the latest host is the last one.
    this.results.delete(this.#host);
    this.results.set(this.#host, new Map([...before, ...own]));
  }
}

interface OpenRun {
  readonly runId: string;
  soundIds?: readonly string[] | undefined;
  steps: JournalStep[];
}

function reporterIn({ relay, device }: JsonObject): Reporter | undefined {
  if (typeof relay !== "string") return undefined;
  return { relayUrl: relay, ...(typeof device === "string" && { deviceId: device }) };
}

function idsIn(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((id) => typeof id === "string") ? value : undefined;
}

/** Reads results with a rough check: `noteEnd` wrote the line. */
function readResults(value: unknown): ReadonlyMap<string, SoundResult> {
  return new Map(
    Object.entries(isJsonObject(value) ? value : {}).filter(
      (entry): entry is [string, SoundResult] => isResult(entry[1]),
    ),
  );
}

function isResult(value: unknown): value is SoundResult {
  return isJsonObject(value) && ["imported", "skipped", "failed"].includes(textOf(value["status"]));
}

function stepAfter(begun: JournalStep | undefined, entry: JsonObject): JournalStep | undefined {
  if (entry["kind"] === "step") {
    const leavesNothing = entry["leaves_nothing"] === true;
    return {
      label: textOf(entry["label"]),
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

/** Returns a text, or an empty one for anything else that damaged JSON may have in its place. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function outcomeOf(value: unknown): string | number | boolean | null {
  const isPlain = typeof value === "string" || typeof value === "number";
  return isPlain || typeof value === "boolean" ? value : null;
}
