import type { Layout } from "../../../../core/layout/layout.ts";
import { formatNumber } from "../../../../core/text/format-number.ts";
import { NO_TRACK, ON_EARLIER_TRACK, TRACK_UNUSABLE } from "../../already-placed.ts";
import type { OutcomeMessage } from "./outcome-message.ts";
import type { PlacementFiles } from "./placement-files.ts";
import type { PlaceMessage } from "./plan-request.ts";

/** The resolution of Live's tempo display. */
const TEMPO_NOISE_BPM = 0.01;

/** Notes for each sound whether its clip is on the track of an earlier import (rule R15). */
export function noteTracks(
  files: Pick<PlacementFiles, "addNote">,
  asked: PlaceMessage,
  { tracks }: OutcomeMessage,
): void {
  const earlier = new Map(asked.tracks.map(({ sound, on }) => [sound, on]));
  for (const { sound, isReused } of tracks.filter(({ skipped }) => skipped === null)) {
    const hadTrack = typeof earlier.get(sound) === "string";
    files.addNote(sound, isReused ? ON_EARLIER_TRACK : hadTrack ? TRACK_UNUSABLE : NO_TRACK);
  }
}

/** Notes at every loop that the Set doesn't have the requested tempo (rule R6). */
export function noteTempo(
  files: Pick<PlacementFiles, "addNote">,
  layout: Layout,
  { asked, got }: { readonly asked: number; readonly got: number | null },
): void {
  if (got !== null && Math.abs(got - asked) <= TEMPO_NOISE_BPM) return;
  const held = got === null ? "not known" : `${formatNumber(got)} BPM`;
  for (const { soundId } of layout.tracks.filter(({ kind }) => kind === "loop")) {
    files.addNote(soundId, `The Set's tempo is ${held}, not ${formatNumber(asked)} BPM.`);
  }
}
