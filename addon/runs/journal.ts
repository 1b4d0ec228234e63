import { appendFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { SoundResults } from "../../core/protocol/package-status.ts";
import { readTextIfAny, writeFileAtomically } from "../disk/atomic-file.ts";
import {
  type HostJournal,
  HostStepError,
  type JournalOutcome,
  type JournalStep,
} from "../hosts/host.ts";
import { idFileName } from "../disk/id-file-name.ts";
import {
  JOURNAL_ENDING,
  type JournalLine,
  formatLine,
  readJournalText,
  type RunRecord,
  shortenJournal,
  stepLine,
} from "./journal-lines.ts";
import { pruneJournals } from "./prune-journals.ts";

export type RunEnd = "imported" | "partial" | "failed";

/**
 * Write-ahead journals of import runs, one append-only JSON Lines file per package (rule R4). A line is
 * written before its step, so that it survives a crash of this process or the host. It is not flushed:
 * a power cut also loses the unsaved Set that it describes.
 */
export class Journals {
  readonly #folder: string;
  readonly #now: () => number;

  /** @param folder created on first use */
  constructor(folder: string, now: () => number) {
    this.#folder = folder;
    this.#now = now;
  }

  /** Returns a record without runs for a package that was never imported. */
  async read(packageId: string): Promise<RunRecord> {
    return readJournalText((await readTextIfAny(this.#pathOf(packageId))) ?? "");
  }

  /** Starts a run, or resumes the unfinished one with its id, and compacts the earlier lines (rule R8). */
  async begin(packageId: string, run: RunStart): Promise<Journal> {
    await mkdir(this.#folder, { recursive: true });
    const path = this.#pathOf(packageId);
    const text = await readTextIfAny(path);
    if (text !== undefined) await writeFileAtomically(path, shortenJournal(text, this.#now()));
    const journal = new Journal(path, run, this.#now);
    journal.noteBegin();
    return journal;
  }

  /** Removes and compacts old journals (rule R8). No run may be active meanwhile. */
  prune(): Promise<void> {
    return pruneJournals(this.#folder, this.#now());
  }

  #pathOf(packageId: string): string {
    return join(this.#folder, idFileName(packageId) + JOURNAL_ENDING);
  }
}

export interface RunStart {
  readonly runId: string;
  readonly hostName: string;
  /** For people who read the file. */
  readonly title: string;
  /** The steps of an earlier, unfinished run. */
  readonly earlier: readonly JournalStep[];
  /** Ids of the chosen sounds; undefined where nobody chose. */
  readonly soundIds?: readonly string[] | undefined;
}

/** The journal of an active run. */
export class Journal implements HostJournal {
  readonly runId: string;
  readonly earlier: readonly JournalStep[];
  readonly #path: string;
  readonly #run: RunStart;
  readonly #now: () => number;
  #steps = 0;

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
    { leavesNothing }: { readonly leavesNothing: boolean } = { leavesNothing: false },
  ): Promise<Outcome> {
    this.#steps += 1;
    const step = this.#steps;
    this.#write(stepLine(step, label, leavesNothing));
    const outcome = await this.#try(label, step, act);
    this.#write({ kind: "done", step, outcome: outcome ?? null });
    return outcome;
  }

  noteBegin(): void {
    const { runId, hostName, title, soundIds } = this.#run;
    const sounds = soundIds === undefined ? {} : { sounds: soundIds };
    this.#write({
      kind: "begin",
      run_id: runId,
      host: hostName,
      title,
      at: this.#time(),
      ...sounds,
    });
  }

  /**
   * Records that the run's steps were undone; the run can still be resumed.
   * @param options.keepsEarlier the host still holds what the run did before it was resumed
   */
  noteUndone({ keepsEarlier }: { readonly keepsEarlier: boolean } = { keepsEarlier: false }): void {
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
  noteEnd(
    status: RunEnd,
    how: { readonly results?: SoundResults; readonly replacesEarlier?: boolean } = {},
  ): void {
    const { results, replacesEarlier = false } = how;
    this.#write({
      kind: "end",
      status,
      at: this.#time(),
      ...(results !== undefined && { results }),
      ...(replacesEarlier && { replaces_earlier: true }),
    });
  }

  async #try<Outcome>(label: string, step: number, act: () => Promise<Outcome> | Outcome) {
    try {
      return await act();
    } catch (error) {
      this.#write({ kind: "failed", step });
      throw new HostStepError(refusedSentence(this.#run.hostName, label, error), { cause: error });
    }
  }

  /** Synchronous: a few microseconds, 50 times faster than through the thread pool. */
  #write(line: JournalLine): void {
    appendFileSync(this.#path, formatLine(line), { mode: 0o600 });
  }

  #time(): string {
    return new Date(this.#now()).toISOString();
  }
}

/** Hosts often reject without a message: then the step's label alone names the problem. */
function refusedSentence(hostName: string, label: string, error: unknown): string {
  const host = hostName.charAt(0).toUpperCase() + hostName.slice(1);
  const reason = error instanceof Error ? error.message.replace(/\.$/, "") : "";
  return reason === "" ? `${host} couldn't ${label}.` : `${host} couldn't ${label}: ${reason}.`;
}
