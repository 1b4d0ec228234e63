import { join } from "node:path";
import type { SoundResults } from "../../core/protocol/package-status.ts";
import { runSentence } from "../../core/protocol/run-sentences.ts";
import {
  appendSync,
  readTextIfAny,
  writeFileAtomically,
  makeDurableFolder,
} from "../disk/atomic-file.ts";
import { fileNameForId } from "../disk/id-file-name.ts";
import {
  type HostJournal,
  HostStepError,
  type JournalOutcome,
  type JournalStep,
} from "../hosts/host.ts";
import type { Reporter } from "../relay/relay-port.ts";
import {
  JOURNAL_ENDING,
  type EndLine,
  type JournalLine,
  formatEnd,
  formatLine,
  isReportedEnd,
  readJournalText,
  reporterPart,
  type ReportedEnd,
  type RunRecord,
  shortenJournal,
  stepLine,
} from "./journal-lines.ts";
import { capitalized } from "../../core/text/capitalized.ts";
import { pruneJournals } from "./prune-journals.ts";

export type RunEnd = "imported" | "partial" | "failed";

export interface RunEndOptions {
  readonly results?: SoundResults;
  readonly replacesEarlier?: boolean;
}

/**
 * Write-ahead journals of import runs, one append-only JSON Lines file per package (rule R4). A line is
 * written and flushed before its step: the Set may be saved, or the host may write files of its own.
 */
export class Journals {
  readonly #folder: string;
  readonly #now: () => number;
  readonly #reportedRunOf: (packageId: string) => Promise<unknown>;

  /**
   * @param folder created on first use
   * @param reportedRunOf returns what `reportedEnd` gave to a package's pending report
   */
  constructor(
    folder: string,
    now: () => number,
    reportedRunOf: (packageId: string) => Promise<unknown> = () => Promise.resolve(undefined),
  ) {
    this.#folder = folder;
    this.#now = now;
    this.#reportedRunOf = reportedRunOf;
  }

  /** Returns a record without runs for a package that was never imported. */
  async read(packageId: string): Promise<RunRecord> {
    const { text, missing } = await this.#textOf(packageId);
    return readJournalText((text ?? "") + missing);
  }

  /** Writes the end of a run that stopped between storing its report and ending its journal. */
  async endReported(packageId: string): Promise<void> {
    const { missing } = await this.#textOf(packageId);
    if (missing !== "") appendSync(this.#pathOf(packageId), missing);
  }

  /** Records what a later look found of a finished run's sounds (rule R18). */
  async amend(packageId: string, hostName: string, results: SoundResults): Promise<void> {
    const at = new Date(this.#now()).toISOString();
    const { text, missing } = await this.#textOf(packageId);
    if (text === undefined) return;
    const gap = text.endsWith("\n") ? "" : "\n";
    const line = formatLine({ kind: "amended", host: hostName, at, results });
    appendSync(this.#pathOf(packageId), (missing || gap) + line);
  }

  /** Starts a run, or resumes the unfinished one with its id, and compacts the earlier lines (rule R8). */
  async begin(packageId: string, run: RunStart): Promise<Journal> {
    await makeDurableFolder(this.#folder);
    const path = this.#pathOf(packageId);
    const { text = "", missing } = await this.#textOf(packageId);
    await writeFileAtomically(path, shortenJournal(text + missing, this.#now()));
    const journal = new Journal(path, run, this.#now);
    journal.noteBegin();
    return journal;
  }

  /**
   * Removes and compacts old journals (rule R8). No run may be active meanwhile.
   * @param saved ids of packages that can still be imported, whose journals are only compacted
   */
  prune(saved: readonly string[] = []): Promise<void> {
    const kept = new Set(saved.map((id) => fileNameForId(id) + JOURNAL_ENDING));
    return pruneJournals(this.#folder, this.#now(), kept);
  }

  /** Reads a journal's text; `missing` is the end of a run that is reported, but still open in the text. */
  async #textOf(packageId: string): Promise<{ readonly text?: string; readonly missing: string }> {
    const text = await readTextIfAny(this.#pathOf(packageId));
    if (text === undefined) return { missing: "" };
    const { unfinished } = readJournalText(text);
    const run = unfinished.size > 0 ? await this.#reportedRunOf(packageId) : undefined;
    const isOpen = isReportedEnd(run) && unfinished.get(run.host)?.runId === run.run_id;
    // A power cut may have torn the last line.
    const gap = text.endsWith("\n") ? "" : "\n";
    return { text, missing: isOpen ? gap + formatEnd(run) : "" };
  }

  #pathOf(packageId: string): string {
    return join(this.#folder, fileNameForId(packageId) + JOURNAL_ENDING);
  }
}

export interface RunStart {
  readonly runId: string;
  readonly hostName: string;
  /** The package's title, for people who read the file. */
  readonly title: string;
  /** The steps of an earlier, unfinished run. */
  readonly earlier: readonly JournalStep[];
  /** Ids of the chosen sounds; undefined where nobody chose. */
  readonly soundIds?: readonly string[] | undefined;
  /** The relay that gets the report; undefined for a local package. */
  readonly reportsTo?: Reporter | undefined;
}

/** The journal of an active run. */
export class Journal implements HostJournal {
  readonly runId: string;
  readonly earlier: readonly JournalStep[];
  readonly #path: string;
  readonly #run: RunStart;
  readonly #now: () => number;
  #steps = 0;
  /** The steps of `together` that have not begun yet. */
  readonly #planned = new Map<string, number>();
  /** Outcomes that `together` has yet to write; undefined outside it. */
  #outcomes: JournalLine[] | undefined;

  constructor(path: string, run: RunStart, now: () => number) {
    this.runId = run.runId;
    this.earlier = run.earlier;
    this.#path = path;
    this.#run = run;
    this.#now = now;
  }

  async step<Outcome extends JournalOutcome>(
    label: string,
    act: () => Promise<Outcome> | Outcome,
    { leavesNothing = false }: { readonly leavesNothing?: boolean } = {},
  ): Promise<Outcome> {
    const planned = this.#planned.get(label);
    const step = planned ?? this.#nextStep();
    if (planned === undefined) this.#write(stepLine(step, label, leavesNothing));
    this.#planned.delete(label);
    const outcome = await this.#try(label, step, act);
    this.#writeOutcome({ kind: "done", step, outcome: outcome ?? null });
    return outcome;
  }

  async together<Outcome>(
    labels: readonly string[],
    act: () => Promise<Outcome>,
  ): Promise<Outcome> {
    const lines = [...new Set(labels)].map((label) => {
      const step = this.#nextStep();
      this.#planned.set(label, step);
      return stepLine(step, label, false);
    });
    this.#write(...lines);
    this.#outcomes = [];
    try {
      return await act();
    } finally {
      const skipped = [...this.#planned.values()].map(
        (step) => ({ kind: "failed", step }) as const,
      );
      this.#write(...this.#outcomes, ...skipped);
      this.#outcomes = undefined;
      this.#planned.clear();
    }
  }

  noteBegin(): void {
    const { runId, hostName, title, soundIds, reportsTo } = this.#run;
    const sounds = soundIds === undefined ? {} : { sounds: soundIds };
    this.#write({
      kind: "begin",
      run_id: runId,
      host: hostName,
      title,
      at: this.#time(),
      ...sounds,
      ...reporterPart(reportsTo),
    });
  }

  /**
   * Records that the run's steps were undone; the run can still be resumed.
   * @param options.keepsEarlier the host still holds what the run did before it was resumed
   */
  recordUnfinished({ keepsEarlier = false }: { readonly keepsEarlier?: boolean } = {}): void {
    this.#write({ kind: "undone", at: this.#time(), ...(keepsEarlier && { keeps_earlier: true }) });
  }

  /** Records that a person cancelled the run: its next import is not bound to what they chose. */
  noteCancelled(): void {
    this.#write({ kind: "cancelled", at: this.#time() });
  }

  /**
   * Records the end; the package's next import is a new run.
   * @param how.results of the sounds that the run was about
   * @param how.replacesEarlier the host keeps nothing of earlier runs
   */
  noteEnd(status: RunEnd, how: RunEndOptions = {}): void {
    this.#write(this.#endLine(status, how));
  }

  /** Returns what a report carries, so that a crash before `noteEnd` leaves no open run; like `noteEnd`. */
  reportedEnd(status: RunEnd, how: RunEndOptions): ReportedEnd {
    const { runId, hostName, title } = this.#run;
    return { run_id: runId, host: hostName, title, end: this.#endLine(status, how) };
  }

  #endLine(status: RunEnd, { results, replacesEarlier = false }: RunEndOptions): EndLine {
    return {
      kind: "end",
      status,
      at: this.#time(),
      ...(results !== undefined && { results }),
      ...(replacesEarlier && { replaces_earlier: true }),
    };
  }

  async #try<Outcome>(label: string, step: number, act: () => Promise<Outcome> | Outcome) {
    try {
      return await act();
    } catch (error) {
      this.#writeOutcome({ kind: "failed", step });
      throw new HostStepError(refusedSentence(this.#run.hostName, label, error), { cause: error });
    }
  }

  #nextStep(): number {
    this.#steps += 1;
    return this.#steps;
  }

  #writeOutcome(line: JournalLine): void {
    if (this.#outcomes === undefined) this.#write(line);
    else this.#outcomes.push(line);
  }

  /** Writes synchronously, because Live takes all steps of a transaction before any is awaited. */
  #write(...lines: readonly JournalLine[]): void {
    appendSync(this.#path, lines.map(formatLine).join(""));
  }

  #time(): string {
    return new Date(this.#now()).toISOString();
  }
}

/**
 * Returns the sentence of a failed step. Hosts often reject without a message; then its label alone names the
 * problem.
 */
function refusedSentence(hostName: string, label: string, error: unknown): string {
  const host = capitalized(hostName);
  const reason = error instanceof Error ? error.message.replace(/\.$/, "") : "";
  return reason === ""
    ? runSentence("HOST_COULD_NOT", { host, step: label })
    : runSentence("HOST_COULD_NOT_BECAUSE", { host, step: label, reason });
}
