import { planTempoAndLength } from "../../../core/layout/tempo-and-length.ts";
import { planWarpMode } from "../../../core/layout/warp-mode.ts";
import type { WarpMode } from "../../../core/manifest/manifest.ts";
import { choiceOf } from "./choice-of.ts";
import type { PageSound } from "./page-sound.ts";
import { BEATS, BPM, numberOf } from "./read-number.ts";

/** How the host will import a sound as currently described. */
export interface SoundPlan {
  /** null if it is no loop, or if the host guesses. */
  readonly tempoBpm: number | null;
  readonly lengthBeats: number | null;
  /** null for a one-shot, which is not warped. */
  readonly warpMode: WarpMode | null;
  /** Sentences about what may be unintended. */
  readonly notes: readonly string[];
}

/** Plans one sound by the layout's own rules (rules T2, T3 and T5). */
export function planSound(sound: PageSound, packageBpm: number | undefined): SoundPlan {
  const { kind, role, ...typed } = choiceOf(sound);
  if (kind !== "loop") return { tempoBpm: null, lengthBeats: null, warpMode: null, notes: [] };
  const [bpm, beats] = [numberOf(typed.bpm, BPM), numberOf(typed.lengthBeats, BEATS)];
  const loop = {
    ...(bpm !== undefined && { bpm }),
    ...(beats !== undefined && { length_beats: beats }),
  };
  const { tempoBpm, loopEndBeats, notes } = planTempoAndLength(loop, packageBpm, sound.header);
  const warpMode = planWarpMode({ kind, ...(role !== null && { role }) });
  return { tempoBpm, lengthBeats: loopEndBeats, warpMode, notes };
}
