import type { ClipRow } from "../../kit/clip-list/clip-row.ts";
import { choiceOf } from "./choice-of.ts";
import type { PageSound } from "./page-sound.ts";
import { planSound } from "./plan-sound.ts";

/** What a row says of a sound, before and after it is sent. */
export type SoundDescription = Pick<
  ClipRow,
  "name" | "kind" | "role" | "color" | "tempoBpm" | "lengthBeats" | "durationSeconds"
>;

/** @param packageBpm the package's tempo */
export function describeSound(sound: PageSound, packageBpm: number | undefined): SoundDescription {
  const { frames, sampleRateHz } = sound.header;
  const { name, kind, role, color } = choiceOf(sound);
  const { tempoBpm, lengthBeats } = planSound(sound, packageBpm);
  return { name, kind, role, color, tempoBpm, lengthBeats, durationSeconds: frames / sampleRateHz };
}
