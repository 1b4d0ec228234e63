import type { Layout, TrackPlan } from "../../../../core/layout/layout.ts";
import { usableTracks } from "../../../../core/layout/usable-tracks.ts";
import { runSentence } from "../../../../core/protocol/run-sentences.ts";
import { warpModeOfNumber } from "../../../../core/layout/warp-mode.ts";
import {
  type HeldSettings,
  onlyKnown,
  type PlacedSound,
  SETTING_NAMES,
  type Tolerances,
  type Unsure,
} from "../../../../core/report/placed-sound.ts";
import { withoutPeriod } from "./control-surface-error.ts";
import { formatEdition, type LiveVersion } from "./live-version.ts";
import { placedNotes } from "./placed-notes.ts";
import type { HeldMessage, OutcomeMessage, OutcomeTrack } from "./outcome-message.ts";
import type { PlaceMessage, SoundAudio, TrackMessage } from "./plan-request.ts";
import { endsAtFileEnd } from "./plan-warp.ts";
import { heldName, readGain, readTiming } from "./read-holds.ts";

export interface ReadOptions {
  readonly asked: PlaceMessage;
  readonly outcome: OutcomeMessage;
  readonly live: Pick<LiveVersion, "edition">;
  /** The number of scenes that the Set had before. */
  readonly scenes: number;
  /** The audio of each usable sound, by sound id. */
  readonly audio: ReadonlyMap<string, SoundAudio>;
  /** The path without links of each file that a clip plays, by the path that Live reports. */
  readonly resolved: ReadonlyMap<string, string>;
  /** The ids of the sounds whose file was copied into the project. */
  readonly inProject: ReadonlySet<string>;
  /** Notes on each sound's file, by sound id. */
  readonly fileNotes: ReadonlyMap<string, readonly string[]>;
}

/** Tolerances in beats (rule H14). */
const MARKER_TOLERANCE = { exact: 1e-6, atFileEnd: 1e-4 } as const;
const SECONDS_TOLERANCE = 1e-6;
const LOOP_END_TOLERANCE = 1e-6;

/** Turns the control surface's outcome into the values that the importer compares, for each usable sound. */
export function readPlaced(layout: Layout, options: ReadOptions): readonly PlacedSound[] {
  const { asked, outcome, live, scenes, audio, resolved, inProject, fileNotes } = options;
  const tracks = new Map(outcome.tracks.map((track) => [track.sound, track]));
  const messages = new Map(asked.tracks.map((track) => [track.sound, track]));
  return usableTracks(layout).map((plan): PlacedSound => {
    const { soundId, clipName } = plan;
    const track = tracks.get(soundId);
    const message = messages.get(soundId);
    const file = audio.get(soundId);
    if (track === undefined || message === undefined || file === undefined) {
      return { soundId, error: `Live doesn't have the clip ${clipName}.` };
    }
    if (track.skipped !== null) {
      const count = String(track.skipped.count);
      return { soundId, skipped: runSentence("TRACKS_FULL", { live: formatEdition(live), count }) };
    }
    if (track.error !== null) {
      const stays = outcome.stays.includes(plan.trackName) ? " Its empty track stays." : "";
      return { soundId, error: stepSentence(track.error) + stays };
    }
    const { holds, changed, tolerances, unchecked } = readSound({
      plan,
      track,
      message,
      file,
      resolved,
    });
    const isInProject = inProject.has(soundId);
    const notes = placedNotes({ plan, track, file, isInProject, asked, outcome, live, scenes });
    return {
      soundId,
      holds,
      changed,
      tolerances,
      unchecked: [...unchecked, ...namesOfUntoldScene(outcome)],
      notes: [...(fileNotes.get(soundId) ?? []), ...notes],
    };
  });
}

/** Returns the sentence for a step that Live refused. */
function stepSentence({ step, message }: { step: string; message: string }): string {
  const reason = withoutPeriod(message);
  return reason === "" ? `Live couldn't ${step}.` : `Live couldn't ${step}: ${reason}.`;
}

interface SoundRead {
  readonly plan: TrackPlan;
  readonly track: OutcomeTrack;
  readonly message: TrackMessage;
  readonly file: SoundAudio;
  readonly resolved: ReadonlyMap<string, string>;
}

function readSound({ plan, track, message, file, resolved }: SoundRead) {
  const { holds, attempt, isReused, changed } = track;
  const gain = readGain(holds);
  const { warping, looping, file_path: path } = holds;
  const got = path === null ? undefined : (resolved.get(path) ?? path);
  const settings: Unsure<HeldSettings> = {
    // The track of an earlier import keeps its own name: no other was requested.
    trackName: isReused ? plan.trackName : heldName(holds.track, plan.trackName),
    clipName: holds.name ?? undefined,
    warping: warping ?? undefined,
    looping: looping ?? undefined,
    warpMode: warping === false ? null : warpModeOfNumber(holds.warp_mode),
    colorIndex: isReused ? (holds.color_index ?? undefined) : colorOf(plan, holds),
    gainDb: gain?.gainDb,
    file: got === undefined ? undefined : { asked: file.path, got },
    ...readTiming(holds),
  };
  // The first attempt is exact, also where its loop ends with the file.
  const isAtFileEnd = attempt > 0 && endsAtFileEnd(message.clip.attempts[attempt], file);
  return {
    holds: onlyKnown(settings),
    changed: [...new Set([...changed].flatMap((name) => TOUCHED[name] ?? []))],
    tolerances: tolerancesOf(plan, isAtFileEnd, gain?.toleranceDb),
    unchecked: [...namesOfUnknown(settings), ...namesOfUntold(holds)],
  };
}

const TIMING = ["startSeconds", "loopStartSeconds", "loopEndBeats", "tempoBpm"] as const;
/** The settings that follow a value of `holds`, by its name: a person's change of it is no difference (rule H24). */
const TOUCHED: Readonly<Record<string, readonly (keyof HeldSettings)[]>> = {
  track: ["trackName"],
  track_color: ["colorIndex"],
  name: ["clipName"],
  color_index: ["colorIndex"],
  file_path: ["file"],
  warping: ["warping", "warpMode", "warpMarkers", ...TIMING],
  warp_mode: ["warpMode"],
  looping: ["looping", ...TIMING],
  loop_start: TIMING,
  loop_end: ["loopEndBeats", "tempoBpm"],
  start_marker: ["startSeconds"],
  gain: ["gainDb"],
  gain_display_string: ["gainDb"],
};

/** Returns the clip's color, or the track's if only the track's differs from the plan. */
function colorOf({ colorIndex }: TrackPlan, holds: HeldMessage): number | undefined {
  const { color_index: clip, track_color: track } = holds;
  if (clip !== null && clip !== colorIndex) return clip;
  return track ?? clip ?? undefined;
}

function tolerancesOf(
  { tempoBpm, loopEndBeats }: TrackPlan,
  isAtFileEnd: boolean,
  gainDb: number | undefined,
): Partial<Tolerances> {
  const warpMarkerBeats = isAtFileEnd ? MARKER_TOLERANCE.atFileEnd : MARKER_TOLERANCE.exact;
  // The tempo may be off by as much as the loop's end may be on its markers.
  const ofTempo = tempoBpm === null || loopEndBeats === null ? undefined : tempoBpm / loopEndBeats;
  return {
    loopEndBeats: LOOP_END_TOLERANCE,
    seconds: SECONDS_TOLERANCE,
    warpMarkerBeats,
    ...(ofTempo !== undefined && { tempoBpm: ofTempo * warpMarkerBeats }),
    ...(gainDb !== undefined && { gainDb }),
  };
}

/** Names the settings that couldn't be read. A clip without a loop has no loop start, and an unwarped one no markers. */
function namesOfUnknown(settings: Unsure<HeldSettings>): readonly string[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
  const keys = Object.keys(SETTING_NAMES) as (keyof HeldSettings)[];
  return (
    keys
      .filter((key) => settings[key] === undefined)
      .filter((key) => key !== "loopStartSeconds" || settings.looping !== false)
      .filter((key) => key !== "warpMarkers" || settings.warping !== false)
      // The colors of clip and track are named one by one.
      .filter((key) => key !== "colorIndex")
      .map((key) => SETTING_NAMES[key])
  );
}

function namesOfUntold(holds: HeldMessage): readonly string[] {
  const { track_color, color_index, pitch_coarse, pitch_fine, armed, input, volume } = holds;
  const told = [
    ["clip color", color_index],
    ["track color", track_color],
    ["pitch", pitch_fine === null ? null : pitch_coarse],
    ["arming", armed],
    ["input", input],
    ["fader", volume],
  ] as const;
  return told.flatMap(([name, value]) => (value === null ? [name] : []));
}

function namesOfUntoldScene({ scene: { name } }: OutcomeMessage): readonly string[] {
  return name === null ? ["scene name"] : [];
}
