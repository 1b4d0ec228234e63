import type { Context } from "../context.ts";
import {
  keepsPartials,
  type PartialSound,
  type PartialTurns,
  type Ports,
  type ResumingSoundKeys,
  type ResumingSoundStore,
  resumesSounds,
} from "../ports.ts";

/** A relay whose stores can continue a file (rule U10). */
export interface ResumingContext extends Context {
  readonly sounds: ResumingSoundStore;
  readonly soundKeys: ResumingSoundKeys;
}

export function canResume(context: Context): context is ResumingContext {
  return resumesSounds(context.sounds) && keepsPartials(context.soundKeys);
}

/** Whose turn each file is among all processes, if more than one can continue a file. */
export function turnsOf({ soundKeys }: Pick<Ports, "soundKeys">): PartialTurns | undefined {
  return keepsPartials(soundKeys) ? soundKeys.turns : undefined;
}

/** The partials of a package, by file name. */
export async function partialsOf(
  { soundKeys }: Pick<Ports, "soundKeys">,
  packageId: string,
): Promise<ReadonlyMap<string, PartialSound>> {
  return keepsPartials(soundKeys) ? soundKeys.findPartials(packageId) : new Map();
}
