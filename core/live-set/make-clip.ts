import type { WarpMarker } from "../layout/warp-markers.ts";
import { fillElement, type Filling, numbered, withId } from "./fill-element.ts";
import { newElement } from "./new-element.ts";
import { WARP_MARKER } from "./schema/clip.ts";
import { childrenAt, type SetElement } from "./set-element.ts";
import type { SetAudio, SetClip, SetPlan } from "./set-plan.ts";

/** Live's numbers of the folders that a path starts at. */
export const RELATIVE_TO = { set: 1, project: 3 } as const;

/** A character without width: a name that starts with it doesn't start with a number sign. */
const NO_WIDTH = "\u200b";

/** Returns the name under which Live shows another one: it replaces a leading `#` with the track's number. */
export function shownName(name: string): string {
  return name.startsWith("#") ? NO_WIDTH + name : name;
}

/** Returns the name that a track shows. */
export function nameShownBy(held: string): string {
  return held.startsWith(`${NO_WIDTH}#`) ? held.slice(NO_WIDTH.length) : held;
}

/** Makes a clip (rules LS4 to LS7). */
export function makeClip(clip: SetClip, { timeSignature }: SetPlan, shape: SetElement): SetElement {
  const { end, warping, looping, audio } = clip;
  const filled = fillElement(shape, {
    CurrentStart: 0,
    CurrentEnd: clip.lengthBeats,
    Loop: {
      LoopStart: 0,
      LoopEnd: end,
      StartRelative: 0,
      LoopOn: looping,
      OutMarker: end,
      HiddenLoopStart: 0,
      HiddenLoopEnd: end,
    },
    Name: clip.name,
    Color: clip.colorIndex,
    TimeSignature: { TimeSignatures: meterChanges(shape, timeSignature) },
    ScrollerTimePreserver: { LeftTime: 0, RightTime: end },
    IsWarped: warping,
    SampleRef: sampleRef(audio),
    WarpMode: clip.warpMode,
    SampleVolume: clip.gain,
    WarpMarkers: numbered(clip.markers.map(makeMarker)),
    // Markers that a person set are those that Live leaves alone.
    MarkersGenerated: false,
  });
  return withId(0, filled);
}

function meterChanges(
  clip: SetElement,
  [beats, unit]: SetPlan["timeSignature"],
): readonly SetElement[] {
  const [first] = childrenAt(clip, "TimeSignature", "TimeSignatures");
  return first === undefined ? [] : [fillElement(first, { Numerator: beats, Denominator: unit })];
}

function sampleRef({ file, ...audio }: SetAudio): Filling {
  return {
    FileRef: {
      RelativePathType: RELATIVE_TO[file.from],
      RelativePath: file.relativePath,
      Path: file.path,
      OriginalFileSize: audio.sizeBytes,
      OriginalCrc: audio.crc,
    },
    LastModDate: audio.modifiedSeconds,
    DefaultDuration: audio.frames,
    DefaultSampleRate: audio.sampleRateHz,
  };
}

function makeMarker({ seconds, beats }: WarpMarker): SetElement {
  const marker = newElement("WarpMarker", WARP_MARKER);
  return fillElement(marker, { "@SecTime": seconds, "@BeatTime": beats });
}
