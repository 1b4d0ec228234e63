import { formatNumber } from "../../../../core/text/format-number.ts";
import { HostStepError } from "../../host.ts";
import { readNumber } from "./live-values.ts";
import type { LiveRun } from "./run-in-transaction.ts";

/** The resolution of Live's tempo display. */
const TOLERANCE_BPM = 0.01;

/** Sets the Set's tempo, in BPM, and restores it. */
export class SetTempo {
  readonly #run: LiveRun;
  /** The tempo before the first `set`; undefined also where Live couldn't read it. */
  #before: number | undefined;
  #isChanged = false;

  constructor(run: LiveRun) {
    this.#run = run;
  }

  /** Returns undefined where Live can't read it. */
  read(): number | undefined {
    return readNumber(() => this.#run.live.application.song.tempo);
  }

  /** Sets the tempo as its own undo step, unless the Set already has it; returns a sentence if Live refuses. */
  async set(tempoBpm: number): Promise<string | undefined> {
    const { live, journal } = this.#run;
    const held = this.read();
    if (held !== undefined && isSameTempo(held, tempoBpm)) return undefined;
    this.#before ??= held;
    try {
      await journal.step(`set the tempo to ${formatNumber(tempoBpm)} BPM`, () => {
        live.application.song.tempo = tempoBpm;
      });
      this.#isChanged = true;
    } catch (error) {
      if (!(error instanceof HostStepError)) throw error;
      return error.message;
    }
    const got = this.read();
    if (got === undefined || isSameTempo(got, tempoBpm)) return undefined;
    return `The Set's tempo is ${formatNumber(got)} BPM, not ${formatNumber(tempoBpm)}.`;
  }

  /** Restores the tempo before the first `set`; false where that failed. */
  async putBack(): Promise<boolean> {
    if (!this.#isChanged) return true;
    return this.#before !== undefined && (await this.set(this.#before)) === undefined;
  }
}

function isSameTempo(one: number, other: number): boolean {
  return Math.abs(one - other) <= TOLERANCE_BPM;
}
