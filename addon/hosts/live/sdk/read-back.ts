import { nearestColor } from "../../../../core/layout/palette.ts";
import type { TrackPlan } from "../../../../core/layout/layout.ts";
import {
  type HeldSettings,
  onlyKnown,
  SETTING_NAMES,
  type Unsure,
} from "../../../../core/report/placed-sound.ts";
import type { LiveClip, LiveSong } from "./live-api.ts";
import { withoutLinks, withoutWindowsPrefix } from "../../live-path.ts";
import type { LiveSound } from "./live-sound.ts";
import { placeIn, readFlag, readIfAny, readList, readNumber, readText } from "./live-values.ts";
import { readVolumeDb, roundGain } from "./volume.ts";
import { secondsAt, type WarpMarker } from "../../../../core/layout/warp-markers.ts";
import { warpModeOfNumber } from "../../../../core/layout/warp-mode.ts";

/** The settings that the SDK can't read of any clip. */
const NEVER_READ = ["track color", "scene color", "pitch", "arming", "input"];

/**
 * Reads back the settings of a sound's track and clip, without those that Live can't read.
 * @returns undefined where the clip or its track is not in the Set
 */
export async function readBack(
  song: LiveSong,
  sound: LiveSound,
): Promise<Partial<HeldSettings> | undefined> {
  const clip = isTrackThere(song, sound) ? readIfAny(() => sound.clip) : undefined;
  if (clip === undefined) return undefined;
  const { track, file } = sound;
  const volumeDb = await readVolumeDb(track);
  return onlyKnown({
    trackName: readText(() => track.name),
    clipName: readText(() => clip.name),
    file: await readFile(clip, file.path),
    colorIndex: readColor(clip),
    gainDb: volumeDb === undefined ? undefined : roundGain(volumeDb + file.gainDb),
    ...readWarp(clip),
  });
}

/** Names the settings that were not read of a clip, as far as the plan and the clip's warp have them. */
export function uncheckedOf(plan: TrackPlan, holds: Partial<HeldSettings>): readonly string[] {
  const keys: readonly (keyof HeldSettings)[] = [
    "trackName",
    "clipName",
    "file",
    "warping",
    "looping",
    "startSeconds",
    "colorIndex",
    "gainDb",
    ...(plan.warping && holds.warping !== false ? WARPED : []),
    ...(plan.looping && holds.looping !== false && holds.warping !== false ? LOOPED : []),
  ];
  return [...NEVER_READ, ...keys.filter((key) => !(key in holds)).map((key) => SETTING_NAMES[key])];
}

const WARPED = ["warpMode", "tempoBpm", "warpMarkers"] as const;
const LOOPED = ["loopStartSeconds", "loopEndBeats"] as const;

/** Checks whether a track is in the Set: a findable one that isn't found was removed, even if its object still answers. */
function isTrackThere(song: LiveSong, { track, isFindable }: LiveSound): boolean {
  const tracks = readList(() => song.tracks);
  return !isFindable || placeIn(tracks, track) !== -1;
}

async function readFile(clip: LiveClip, asked: string): Promise<HeldSettings["file"] | undefined> {
  const got = readText(() => clip.filePath);
  if (got === undefined) return undefined;
  return { asked: await withoutLinks(asked), got: await withoutLinks(withoutWindowsPrefix(got)) };
}

/** Returns the index of the nearest color of Live's palette, which has 70. */
function readColor(clip: LiveClip): number | undefined {
  const rgb = readNumber(() => clip.color);
  if (rgb === undefined) return undefined;
  return nearestColor(`#${(rgb & 0xff_ffff).toString(16).padStart(6, "0")}`);
}

type WarpSettings = Pick<
  HeldSettings,
  | "warping"
  | "warpMode"
  | "looping"
  | "loopEndBeats"
  | "tempoBpm"
  | "startSeconds"
  | "loopStartSeconds"
  | "warpMarkers"
>;

/** Reads warp and loop of a clip. An unwarped clip has no warp mode, tempo or loop length in beats. */
export function readWarp(clip: LiveClip): Partial<Unsure<WarpSettings>> {
  const warping = readFlag(() => clip.warping);
  const looping = readFlag(() => clip.looping);
  if (warping === false) {
    const startSeconds = roundIfAny(readNumber(() => clip.startMarker));
    const none = { warpMode: null, loopEndBeats: null, tempoBpm: null };
    return { warping, looping, startSeconds, ...none };
  }
  const warpMarkers = readMarkers(clip);
  const [loopStart, loopEnd] = [readNumber(() => clip.loopStart), readNumber(() => clip.loopEnd)];
  const inSeconds = (beats: number | undefined) => roundIfAny(secondsIn(warpMarkers, beats));
  return {
    warping,
    looping,
    warpMode: warpModeOfNumber(readNumber(() => clip.warpMode)),
    loopEndBeats: looping === false ? null : roundIfAny(difference(loopStart, loopEnd)),
    tempoBpm: readClipTempo(clip),
    startSeconds: inSeconds(readNumber(() => clip.startMarker)),
    ...(looping !== false && { loopStartSeconds: inSeconds(loopStart) }),
    warpMarkers,
  };
}

/** Derives a clip's average tempo in BPM from its first to its last warp marker; undefined where that fails. */
export function readClipTempo(clip: LiveClip): number | undefined {
  const markers = readMarkers(clip);
  const [first, last] = [markers?.at(0), markers?.at(-1)];
  const beats = difference(first?.beats, last?.beats);
  const seconds = difference(first?.seconds, last?.seconds);
  if (beats === undefined || seconds === undefined) return undefined;
  const tempoBpm = (60 * beats) / seconds;
  return tempoBpm > 0 && Number.isFinite(tempoBpm) ? round(tempoBpm) : undefined;
}

/** Reads all warp markers; undefined where one can't be read, or where fewer than two give no tempo. */
function readMarkers(clip: LiveClip): readonly WarpMarker[] | undefined {
  const markers = readList(() => clip.warpMarkers).flatMap((marker) => {
    const seconds = readNumber(() => marker.sampleTime);
    const beats = readNumber(() => marker.beatTime);
    return seconds === undefined || beats === undefined ? [] : [{ seconds, beats }];
  });
  const isWhole = markers.length === readList(() => clip.warpMarkers).length;
  return isWhole && markers.length >= 2 ? markers : undefined;
}

function secondsIn(
  markers: readonly WarpMarker[] | undefined,
  beats: number | undefined,
): number | undefined {
  if (markers === undefined || beats === undefined) return undefined;
  const seconds = secondsAt(markers, beats);
  return Number.isFinite(seconds) ? seconds : undefined;
}

function difference(from: number | undefined, to: number | undefined): number | undefined {
  return from === undefined || to === undefined ? undefined : to - from;
}

function roundIfAny(value: number | undefined): number | undefined {
  return value === undefined ? undefined : round(value);
}

/** Rounds to six decimals: beats and seconds come from floats. */
function round(value: number): number {
  return Number(value.toFixed(6));
}
