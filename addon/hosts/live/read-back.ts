import { nearestColor } from "../../../core/layout/nearest-color.ts";
import { WARP_MODES, type WarpMode } from "../../../core/manifest/manifest.ts";
import type { HeldSettings } from "../host.ts";
import type { LiveClip, LiveSong, LiveTrack } from "./live-api.ts";
import type { LiveSound } from "./live-sound.ts";
import {
  numberOf,
  placeIn,
  readFlag,
  readIfAny,
  readList,
  readNumber,
  readText,
} from "./live-values.ts";
import { gainOfVolume, roundGain } from "./volume.ts";

/**
 * What Live holds of a sound, in the layout's words: without warping there is no warp mode, no tempo
 * and no loop in beats. What Live does not tell is left out.
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
    colorIndex: readColor(clip),
    gainDb: volumeDb === undefined ? undefined : roundGain(volumeDb + file.gainDb),
    ...readWarp(clip),
  });
}

/** Where Live tells tracks apart, one that is not found is gone, whatever its object still says. */
function isTrackThere(song: LiveSong, { track, isFindable }: LiveSound): boolean {
  const tracks = readList(() => song.tracks);
  return !isFindable || placeIn(tracks, track) !== -1;
}

/** The tempo that a clip's warp markers give, in BPM; undefined where they give none. */
export function readClipTempo(clip: LiveClip): number | undefined {
  const markers = readList(() => clip.warpMarkers);
  const [first, last] = [markers.at(0), markers.at(-1)];
  const beats = difference(
    readNumber(() => first?.beatTime),
    readNumber(() => last?.beatTime),
  );
  const seconds = difference(
    readNumber(() => first?.sampleTime),
    readNumber(() => last?.sampleTime),
  );
  if (beats === undefined || seconds === undefined) return undefined;
  const tempoBpm = (60 * beats) / seconds;
  return tempoBpm > 0 && Number.isFinite(tempoBpm) ? round(tempoBpm) : undefined;
}

/** The raw value of a track's volume; undefined where Live does not tell it. */
export async function readVolume(track: LiveTrack): Promise<number | undefined> {
  try {
    return numberOf(await track.mixer.volume.getValue());
  } catch {
    return undefined;
  }
}

async function readVolumeDb(track: LiveTrack): Promise<number | undefined> {
  const raw = await readVolume(track);
  return raw === undefined ? undefined : gainOfVolume(raw);
}

type Unsure<Settings> = { readonly [Key in keyof Settings]: Settings[Key] | undefined };
type WarpSettings = Pick<
  HeldSettings,
  "warping" | "warpMode" | "looping" | "loopEndBeats" | "tempoBpm"
>;

function readWarp(clip: LiveClip): Unsure<WarpSettings> {
  const warping = readFlag(() => clip.warping);
  const looping = readFlag(() => clip.looping);
  const beats = difference(
    readNumber(() => clip.loopStart),
    readNumber(() => clip.loopEnd),
  );
  if (warping === false) {
    return { warping, looping, warpMode: null, loopEndBeats: null, tempoBpm: null };
  }
  return {
    warping,
    looping,
    warpMode: nameOfWarpMode(readNumber(() => clip.warpMode)),
    loopEndBeats: looping === false ? null : beats && round(beats),
    tempoBpm: readClipTempo(clip),
  };
}

/** The palette's entry that looks most like the clip's colour: Live has these 70, and no others. */
function readColor(clip: LiveClip): number | undefined {
  const rgb = readNumber(() => clip.color);
  if (rgb === undefined) return undefined;
  return nearestColor(`#${(rgb & 0xff_ffff).toString(16).padStart(6, "0")}`);
}

function nameOfWarpMode(number: number | undefined): WarpMode | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
  const names = Object.keys(WARP_MODES) as WarpMode[];
  return names.find((name) => WARP_MODES[name] === number);
}

function difference(from: number | undefined, to: number | undefined): number | undefined {
  return from === undefined || to === undefined ? undefined : to - from;
}

/** To six decimals: beats and seconds come out of a host's floats. */
function round(value: number): number {
  return Number(value.toFixed(6));
}

function onlyKnown(settings: Unsure<HeldSettings>): Partial<HeldSettings> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
