import type { PlacedSound } from "../../../../../core/report/placed-sound.ts";
import { compareSettings } from "../../../../../core/report/compare-settings.ts";
import type { Layout } from "../../../../../core/layout/layout.ts";
import { usableTracks } from "../../../../../core/layout/usable-tracks.ts";
import type { LiveStudio } from "./live-studio.ts";
import { RUN } from "./small-layout.ts";

/** Waits for all later looks at a run. Returns the last result, `placed` where there was no look. */
export async function lastLook(
  { host }: LiveStudio,
  placed: readonly PlacedSound[],
): Promise<readonly PlacedSound[]> {
  let last = placed;
  for await (const looked of host.follow(RUN, new AbortController().signal)) last = looked;
  return last;
}

/** Returns the differences of each sound that has some, by sound id. */
export function differencesIn(
  layout: Layout,
  placed: readonly PlacedSound[],
): Readonly<Record<string, readonly string[]>> {
  const entries = usableTracks(layout).flatMap((plan) => {
    const sound = placed.find(({ soundId }) => soundId === plan.soundId);
    if (sound === undefined || !("holds" in sound)) return [];
    const names = compareSettings(plan, sound.holds, sound.tolerances);
    return names.length === 0 ? [] : [[plan.soundId, names.map(({ setting }) => setting)] as const];
  });
  return Object.fromEntries(entries);
}
