import type { TrackPlan } from "../../../../core/layout/layout.ts";
import { isStraight } from "../../../../core/layout/warp-markers.ts";
import { formatNumber } from "../../../../core/text/format-number.ts";
import type { HeldSettings, Tolerances } from "../../../../core/report/placed-sound.ts";
import { HostStepError } from "../../host.ts";
import { readNumber } from "./live-values.ts";
import type { LiveRun } from "./run-in-transaction.ts";

/** The relative error of a detected tempo that is still accepted (rule H6): a beat in 1000. */
const TOLERANCE = 0.001;
/** The rounding error of a tempo that comes from marker positions. */
const NOISE_BPM = 0.001;
const UNTOLD = "Live can't be told this loop's tempo without the Soundferry control surface.";

/** Checks whether Live detected another tempo than the loop's own. */
export function isHeardWrong(
  { tempoBpm }: Pick<TrackPlan, "tempoBpm">,
  heardBpm: number | null | undefined,
): boolean {
  if (tempoBpm === null || typeof heardBpm !== "number") return false;
  return Math.abs(heardBpm / tempoBpm - 1) > TOLERANCE;
}

/**
 * Returns the tolerances of Live's warp: its detection is rarely exact, and reporting each deviation as a
 * difference would hide the ones that matter.
 */
export function warpTolerances({
  tempoBpm,
  loopEndBeats,
}: Pick<TrackPlan, "tempoBpm" | "loopEndBeats">): Partial<Tolerances> {
  if (tempoBpm === null || loopEndBeats === null) return {};
  return { tempoBpm: tempoBpm * TOLERANCE, warpMarkerBeats: loopEndBeats * TOLERANCE };
}

/** Returns a note where Live's tempo is wrong, or close but not exact. */
export function tempoNotes(
  plan: Pick<TrackPlan, "tempoBpm" | "loopEndBeats">,
  { tempoBpm: heardBpm, warpMarkers }: Pick<Partial<HeldSettings>, "tempoBpm" | "warpMarkers">,
): readonly string[] {
  const { tempoBpm, loopEndBeats } = plan;
  if (tempoBpm === null || loopEndBeats === null || typeof heardBpm !== "number") return [];
  const line = { tempoBpm, endBeats: loopEndBeats };
  const tolerances = { tempoBpm: 0, warpMarkerBeats: 0, ...warpTolerances(plan) };
  const isBent = warpMarkers !== undefined && !isStraight(warpMarkers, line, tolerances);
  if (isBent || isHeardWrong(plan, heardBpm)) return [UNTOLD];
  if (Math.abs(heardBpm - tempoBpm) <= NOISE_BPM) return [];
  return [`Live detects ${formatNumber(heardBpm)} BPM, close enough to ${formatNumber(tempoBpm)}.`];
}

/** The resolution of Live's tempo display. */
const TOLERANCE_BPM = 0.01;

/** The Set's tempo in BPM, which can be set and restored. */
export class SetTempo {
  readonly #run: LiveRun;
  /** The tempo before the first `set`; undefined also where Live couldn't read it. */
  #before: number | undefined;
  #isChanged = false;

  constructor(run: LiveRun) {
    this.#run = run;
  }

  /** Reads the tempo; returns undefined where Live can't read it. */
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

  /** Restores the tempo before the first `set`; returns false where that failed. */
  async putBack(): Promise<boolean> {
    if (!this.#isChanged) return true;
    return this.#before !== undefined && (await this.set(this.#before)) === undefined;
  }
}

function isSameTempo(one: number, other: number): boolean {
  return Math.abs(one - other) <= TOLERANCE_BPM;
}
