import { formatNumber } from "../../../core/text/format-number.ts";
import { type HostJournal, HostStepError } from "../host.ts";
import type { PreviewCalls } from "./preview-session.ts";

/** The label of the step whose outcome is the original tempo, for a run that resumes this one. */
const READ_STEP = "read the tempo";

/** The session's tempo during one run, which sets and restores it (rule R6). */
export class PreviewTempo {
  readonly #session: PreviewCalls;
  readonly #journal: HostJournal;
  #before: number | undefined;

  constructor(session: PreviewCalls, journal: HostJournal) {
    this.#session = session;
    this.#journal = journal;
    const read = journal.earlier.find(
      ({ label, state }) => label === READ_STEP && state === "done",
    );
    if (typeof read?.outcome === "number") this.#before = read.outcome;
  }

  /** Sets the tempo in BPM; returns a sentence on failure. */
  async set(tempoBpm: number): Promise<string | undefined> {
    if (this.#session.state.tempo_bpm === tempoBpm) return undefined;
    const read = await this.#journal.step(READ_STEP, () => this.#session.state.tempo_bpm);
    this.#before ??= read;
    try {
      await this.#journal.step(`set the tempo to ${formatNumber(tempoBpm)} BPM`, () =>
        this.#session.setTempo(tempoBpm),
      );
      return undefined;
    } catch (error) {
      if (!(error instanceof HostStepError)) throw error;
      return error.message;
    }
  }

  /** Restores the tempo before this run and the runs that it resumes. */
  async putBack(): Promise<void> {
    const before = this.#before;
    if (before === undefined || !this.#isChanged) return;
    await this.#journal.step(`put the tempo back to ${formatNumber(before)} BPM`, () =>
      this.#session.setTempo(before),
    );
  }

  /** Returns a sentence where the tempo is still changed. */
  whatStays(): readonly string[] {
    const { tempo_bpm: tempoBpm } = this.#session.state;
    return this.#isChanged ? [`The tempo stays at ${formatNumber(tempoBpm)} BPM.`] : [];
  }

  get #isChanged(): boolean {
    return this.#before !== undefined && this.#before !== this.#session.state.tempo_bpm;
  }
}
