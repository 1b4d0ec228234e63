import { lastTempo, secondsAt, type WarpMarker } from "../layout/warp-markers.ts";
import { warpModeOfNumber } from "../layout/warp-mode.ts";
import type { WarpMode } from "../manifest/manifest.ts";
import { nameShownBy } from "./make-clip.ts";
import { childrenAt, descend, numberAt, type SetElement, valueAt } from "./set-element.ts";

/** A clip as a Set has it, and its track's name. */
export interface ClipInSet {
  readonly trackName: string;
  readonly clipName: string;
  readonly colorIndex: number;
  readonly gainDb: number;
  readonly warping: boolean;
  readonly warpMode: WarpMode | null;
  readonly looping: boolean;
  /** In beats; null for an unwarped clip, and for one that doesn't loop. */
  readonly loopEndBeats: number | null;
  /** The tempo after the last marker; null for an unwarped clip. */
  readonly tempoBpm: number | null;
  readonly startSeconds: number;
  readonly loopStartSeconds?: number;
  readonly warpMarkers?: readonly WarpMarker[];
  /** The file's path as the Set has it, and where it starts: one of Live's numbers. */
  readonly file: { readonly relativeTo: number; readonly relativePath: string };
}

/** Reads the clips in the slots of a Set, scene by scene, in the order of the tracks. */
export function readClips(document: SetElement): readonly ClipInSet[] {
  const tracks = childrenAt(document, "LiveSet", "Tracks").filter(
    ({ tag }) => tag === "AudioTrack",
  );
  const sceneCount = childrenAt(document, "LiveSet", "Scenes").length;
  const slots = tracks.map((track) =>
    childrenAt(track, "DeviceChain", "MainSequencer", "ClipSlotList"),
  );
  return Array.from({ length: sceneCount }, (_, scene) =>
    tracks.flatMap((track, index) => {
      const clip = descend(slots[index]?.[scene], "ClipSlot", "Value", "AudioClip");
      return clip === undefined ? [] : [readClip(clip, track)];
    }),
  ).flat();
}

function readClip(clip: SetElement, track: SetElement): ClipInSet {
  const warping = valueAt(clip, "IsWarped") === "true";
  const looping = valueAt(clip, "Loop", "LoopOn") === "true";
  const loopStart = numberAt(clip, "Loop", "LoopStart");
  const start = loopStart + numberAt(clip, "Loop", "StartRelative");
  return {
    trackName: nameShownBy(valueAt(track, "Name", "UserName") ?? ""),
    clipName: valueAt(clip, "Name") ?? "",
    colorIndex: numberAt(clip, "Color"),
    gainDb: 20 * Math.log10(numberAt(clip, "SampleVolume")),
    warping,
    looping,
    ...(warping
      ? readWarp(clip, { looping, loopStart, start })
      : { ...UNWARPED, startSeconds: start }),
    file: {
      relativeTo: numberAt(clip, "SampleRef", "FileRef", "RelativePathType"),
      relativePath: valueAt(clip, "SampleRef", "FileRef", "RelativePath") ?? "",
    },
  };
}

const UNWARPED = { warpMode: null, loopEndBeats: null, tempoBpm: null } as const;

/** Reads what a warped clip has in beats; any last marker is right, also one that Live would put elsewhere. */
function readWarp(
  clip: SetElement,
  loop: { readonly looping: boolean; readonly loopStart: number; readonly start: number },
) {
  const warpMarkers = childrenAt(clip, "WarpMarkers")
    .map(({ attributes }): WarpMarker => {
      const [seconds, beats] = [attributes.get("SecTime"), attributes.get("BeatTime")];
      return { seconds: Number(seconds), beats: Number(beats) };
    })
    .toSorted((one, other) => one.seconds - other.seconds);
  return {
    warpMode: warpModeOfNumber(numberAt(clip, "WarpMode")) ?? null,
    loopEndBeats: loop.looping ? numberAt(clip, "Loop", "LoopEnd") : null,
    tempoBpm: lastTempo(warpMarkers),
    startSeconds: secondsAt(warpMarkers, loop.start),
    ...(loop.looping && { loopStartSeconds: secondsAt(warpMarkers, loop.loopStart) }),
    warpMarkers,
  };
}
