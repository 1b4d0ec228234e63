import { planTempoAndLength } from "../../../core/layout/tempo-and-length.ts";
import { planWarpMode } from "../../../core/layout/warp-mode.ts";
import type { WarpMode } from "../../../core/manifest/manifest.ts";
import { choiceOf, type SessionSound } from "../../../client/send/session/session-sound.ts";
import { BEATS, BPM, numberOf } from "../../../client/send/session/typed-numbers.ts";
import type { ClipRow } from "../../kit/clip-list/clip-row.ts";

/** The host's import of a sound with its current description. */
interface SoundPlan {
  /** The tempo; null for a one-shot, or if the host guesses it. */
  readonly tempoBpm: number | null;
  readonly lengthBeats: number | null;
  /** The warp mode; null for a one-shot, which is not warped. */
  readonly warpMode: WarpMode | null;
  /** Notes on what may be unintended, each a sentence. */
  readonly notes: readonly string[];
}

/** Plans one sound by the layout's own rules (rules T2, T3 and T5). */
export function planSound(sound: SessionSound, packageBpm: number | undefined): SoundPlan {
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

/** The facts of a sound in its row, before and after it is sent. */
export type SoundDescription = Pick<
  ClipRow,
  "name" | "kind" | "role" | "color" | "tempoBpm" | "lengthBeats" | "durationSeconds"
>;

/** Describes a sound for its row. @param packageBpm the package's tempo */
export function describeSound(
  sound: SessionSound,
  packageBpm: number | undefined,
): SoundDescription {
  const { frames, sampleRateHz } = sound.header;
  const { name, kind, role, color } = choiceOf(sound);
  const { tempoBpm, lengthBeats } = planSound(sound, packageBpm);
  return { name, kind, role, color, tempoBpm, lengthBeats, durationSeconds: frames / sampleRateHz };
}
