import { secondsAt, type WarpMarker } from "../../../../core/layout/warp-markers.ts";
import { warpModeOfNumber } from "../../../../core/layout/warp-mode.ts";
import type { Unsure } from "../../held-settings.ts";
import type { HeldSettings } from "../../host.ts";
import type { LiveClip } from "./live-api.ts";
import { readFlag, readList, readNumber } from "./live-values.ts";

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

/** Returns undefined where one can't be read, or fewer than two: they tie nothing. */
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

/** To six decimals: beats and seconds come from floats. */
function round(value: number): number {
  return Number(value.toFixed(6));
}
