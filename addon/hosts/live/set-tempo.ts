import { formatNumber } from "../../../core/text/format-number.ts";
import { HostStepError } from "../host.ts";
import { readNumber } from "./live-values.ts";
import type { LiveRun } from "./run-in-transaction.ts";

/** As near to a tempo as Live's own display tells it apart. */
const TOLERANCE_BPM = 0.01;

/** The Set's tempo, in BPM, and the way back to what it was. */
export class SetTempo {
  readonly #run: LiveRun;
  /** What a roll-back puts back; undefined also where Live did not tell it. */
  #before: number | undefined;
  #isChanged = false;

  constructor(run: LiveRun) {
    this.#run = run;
  }

  /** undefined where Live does not tell it. */
  read(): number | undefined {
    return readNumber(() => this.#run.live.application.song.tempo);
  }

  /**
   * Sets the tempo, as an undo step of its own; takes none where the Set has it already.
   * @returns a sentence where Live would not; else undefined
   */
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

  /** Puts back what the Set had before the first `set`; false where it has another tempo now. */
  async putBack(): Promise<boolean> {
    if (!this.#isChanged) return true;
    return this.#before !== undefined && (await this.set(this.#before)) === undefined;
  }
}

function isSameTempo(one: number, other: number): boolean {
  return Math.abs(one - other) <= TOLERANCE_BPM;
}
