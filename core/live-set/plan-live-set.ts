import type { TrackPlan } from "../layout/layout.ts";
import { type PackageInFile, planSession } from "../layout/plan-session.ts";
import { usableTracks } from "../layout/usable-tracks.ts";
import type { WarpMarker } from "../layout/warp-markers.ts";
import { MAX_BPM } from "../limits.ts";
import { WARP_MODES } from "../manifest/manifest.ts";
import { formatNumber } from "../text/format-number.ts";
import { liveSetSentence } from "./live-set-sentences.ts";
import { meterCode } from "./meter-code.ts";
import type { SetAudio, SetClip, SetPlan, SetScene } from "./set-plan.ts";

/** A package's layout and its files in the Set. */
export type SetPackage = PackageInFile<SetAudio>;

/** Live's meter in a Set that asks for none that Live has. */
const COMMON_TIME = [4, 4] as const;
/** The tempos that Live allows between two warp markers. */
const SEGMENT_BPM = { least: 5, most: MAX_BPM } as const;
/** The last warp marker isn't shown: it is this far behind the one before it. */
export const HIDDEN_MARKER_BEATS = 1 / 32;
/** A loop this much longer than its file is as long as its file. */
const SAME_SECONDS = 1e-9;

/** Plans a Set: a scene per package with sounds, a track per sound (rules LS2 to LS6). */
export function planLiveSet(packages: readonly SetPackage[]): SetPlan {
  const { tempoBpm, timeSignature } = planSession(packages);
  const scenes = packages.map((one) => planScene(one, tempoBpm));
  return {
    tempoBpm,
    timeSignature: meterCode(timeSignature) === null ? COMMON_TIME : timeSignature,
    scenes: scenes.filter(({ tracks }) => tracks.length > 0),
  };
}

function planScene({ layout, audio }: SetPackage, setTempoBpm: number): SetScene {
  const tracks = usableTracks(layout).flatMap((plan) => {
    const file = audio.get(plan.soundId);
    if (file === undefined) return [];
    return [{ name: plan.trackName, clip: planClip(plan, file, setTempoBpm) }];
  });
  return { name: layout.scene.name, tracks };
}

function planClip(plan: TrackPlan, audio: SetAudio, setTempoBpm: number): SetClip {
  const fileSeconds = audio.frames / audio.sampleRateHz;
  const tempoBpm = warpTempo(plan, fileSeconds) ?? setTempoBpm;
  const fileBeats = (fileSeconds * tempoBpm) / 60;
  const endBeats = plan.loopEndBeats ?? fileBeats;
  return {
    name: plan.clipName,
    colorIndex: plan.colorIndex,
    audio,
    warping: plan.warping,
    warpMode: WARP_MODES[plan.warpMode ?? "beats"],
    looping: plan.looping,
    end: plan.warping ? endBeats : fileSeconds,
    lengthBeats: endBeats,
    markers: markersOf(tempoBpm, endBeats, fileSeconds),
    gain: 10 ** (plan.gainDb / 20),
  };
}

/** Returns the tempo of a loop's file: its own, or the one at which its beats fill it; null if Live allows none. */
function warpTempo(
  { warping, tempoBpm, loopEndBeats }: Pick<TrackPlan, "warping" | "tempoBpm" | "loopEndBeats">,
  fileSeconds: number,
): number | null {
  if (!warping || loopEndBeats === null) return null;
  if (tempoBpm !== null) return tempoBpm;
  const filling = (60 * loopEndBeats) / fileSeconds;
  return filling >= SEGMENT_BPM.least && filling <= SEGMENT_BPM.most ? filling : null;
}

/** Returns three markers on one line: the file's first sample, the end of the loop or the file, and the hidden one. */
function markersOf(tempoBpm: number, endBeats: number, fileSeconds: number): readonly WarpMarker[] {
  const endSeconds = (60 * endBeats) / tempoBpm;
  // Live has no marker behind the file's end, but the hidden one.
  const end =
    endSeconds <= fileSeconds + SAME_SECONDS
      ? { seconds: endSeconds, beats: endBeats }
      : { seconds: fileSeconds, beats: (fileSeconds * tempoBpm) / 60 };
  const hidden = {
    seconds: end.seconds + (60 * HIDDEN_MARKER_BEATS) / tempoBpm,
    beats: end.beats + HIDDEN_MARKER_BEATS,
  };
  return [{ seconds: 0, beats: 0 }, end, hidden];
}

/** Returns notes on what a Set can't express, by sound id, for each package (rules LS3, LS5). */
export function notesOnSet(
  packages: readonly SetPackage[],
): readonly ReadonlyMap<string, readonly string[]>[] {
  let forFirst = notesOnMeter(packages);
  return packages.map(({ layout, audio }) => {
    const notes = new Map<string, readonly string[]>();
    for (const plan of usableTracks(layout)) {
      const file = audio.get(plan.soundId);
      if (file === undefined) continue;
      const onTempo = notesOnTempo(plan, file.frames / file.sampleRateHz);
      notes.set(plan.soundId, [...onTempo, ...forFirst]);
      forFirst = [];
    }
    return notes;
  });
}

function notesOnTempo(plan: TrackPlan, fileSeconds: number): readonly string[] {
  const { warping, tempoBpm, loopEndBeats } = plan;
  if (!warping || tempoBpm !== null) return [];
  if (loopEndBeats === null || warpTempo(plan, fileSeconds) === null) {
    return [liveSetSentence("SET_TEMPO_ASSUMED")];
  }
  const beats = `${formatNumber(loopEndBeats)} ${loopEndBeats === 1 ? "beat" : "beats"}`;
  return [liveSetSentence("SET_FILLED", { beats })];
}

function notesOnMeter(packages: readonly SetPackage[]): readonly string[] {
  const { timeSignature } = planSession(packages);
  if (meterCode(timeSignature) !== null) return [];
  return [liveSetSentence("SET_METER_UNKNOWN", { meter: timeSignature.join("/") })];
}
