import { appendFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
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

/** How an import run ended. */
export type RunEnd = "imported" | "partial" | "failed";

/**
 * What import runs did at the host: a file of JSON lines for each package, only added to while a run
 * works (rule R4). A line is with the operating system before its step is taken, which outlives a crash
 * of this process or of the host. It is not flushed to the disk for each step: a Set that was not saved
 * is lost in a power cut, and so is what the line would tell.
 */
export class Journals {
  readonly #folder: string;
  readonly #now: () => number;

  /**
   * @param folder made on first use
   * @param now milliseconds since 1970, for people who read the file
   */
  constructor(folder: string, now: () => number) {
    this.#folder = folder;
    this.#now = now;
  }

  /** What the journal says of a package; no run in it where the package was never imported. */
  async read(packageId: string): Promise<RunRecord> {
    return readJournalText((await readTextIfAny(this.#pathOf(packageId))) ?? "");
  }

  /**
   * Begins a run, or goes on with an unfinished one when it has that one's id. What the runs before it
   * left to say stays, in few lines (rule R8).
   */
  async begin(packageId: string, run: RunStart): Promise<Journal> {
    await mkdir(this.#folder, { recursive: true });
    const path = this.#pathOf(packageId);
    const text = await readTextIfAny(path);
    if (text !== undefined) await writeFileAtomically(path, shortenJournal(text, this.#now()));
    const journal = new Journal(path, run, this.#now);
    journal.noteBegin();
    return journal;
  }

  /** Makes room (rule R8). No run may begin or work meanwhile. */
  prune(): Promise<void> {
    return pruneJournals(this.#folder, this.#now());
  }

  #pathOf(packageId: string): string {
    return join(this.#folder, idFileName(packageId) + JOURNAL_ENDING);
  }
}

export interface RunStart {
  readonly runId: string;
  /** The host's word for itself. */
  readonly hostName: string;
  /** For people who read the file. */
  readonly title: string;
  /** What the host is shown of an earlier, unfinished run. */
  readonly earlier: readonly JournalStep[];
}

/** The journal of one run under way. */
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
    const { runId, hostName, title } = this.#run;
    this.#write({ kind: "begin", run_id: runId, host: hostName, title, at: this.#time() });
  }

  /**
   * Notes that nothing of the run is left at the host; the run may still go on later.
   * @param options.keepsEarlier what the run that it went on with had left is at the host still
   */
  noteUndone({ keepsEarlier }: { readonly keepsEarlier: boolean } = { keepsEarlier: false }): void {
    this.#write({ kind: "undone", at: this.#time(), ...(keepsEarlier && { keeps_earlier: true }) });
  }

  /** Notes that the run is over; importing the package again is a new run. */
  noteEnd(status: RunEnd): void {
    this.#write({ kind: "end", status, at: this.#time() });
  }

  async #try<Outcome>(label: string, step: number, act: () => Promise<Outcome> | Outcome) {
    try {
      return await act();
    } catch (error) {
      this.#write({ kind: "failed", step });
      throw new HostStepError(refusedSentence(this.#run.hostName, label, error), { cause: error });
    }
  }

  /** Synchronous: it costs a few microseconds, fifty times less than through the thread pool. */
  #write(line: JournalLine): void {
    appendFileSync(this.#path, formatLine(line), { mode: 0o600 });
  }

  #time(): string {
    return new Date(this.#now()).toISOString();
  }
}

/** Hosts often reject with nothing at all: then the step's label alone says what went wrong. */
function refusedSentence(hostName: string, label: string, error: unknown): string {
  const host = hostName.charAt(0).toUpperCase() + hostName.slice(1);
  const reason = error instanceof Error ? error.message.replace(/\.$/, "") : "";
  return reason === "" ? `${host} couldn't ${label}.` : `${host} couldn't ${label}: ${reason}.`;
}
