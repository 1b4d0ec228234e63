import { VERSION } from "../version.ts";
import { fillElement } from "./fill-element.ts";
import { newElement } from "./new-element.ts";
import { numberPointees } from "./pointees.ts";
import { AUDIO_CLIP, CLIP_SLOT } from "./schema/clip.ts";
import { DOCUMENT, SCENE } from "./schema/live-set.ts";
import { AUDIO_TRACK } from "./schema/track.ts";
import type { SetElement } from "./set-element.ts";

/** The elements of which a Set is made: the writer sets in them only what a layout says. */
export interface SetShape {
  /** The document without tracks and scenes. */
  readonly document: SetElement;
  /** An audio track without clips and devices. */
  readonly track: SetElement;
  readonly scene: SetElement;
  /** A slot without a clip. */
  readonly slot: SetElement;
  readonly clip: SetElement;
}

/** Names the program that wrote a Set: `Creator` is free text. */
export const CREATOR = `Soundferry ${VERSION}`;

/** Makes the shape of this project's own table (rule LS1). */
export function ownShape(): SetShape {
  const document = fillElement(newElement("Ableton", DOCUMENT), { "@Creator": CREATOR });
  return {
    document: numberPointees(document, 1),
    track: newElement("AudioTrack", AUDIO_TRACK),
    scene: newElement("Scene", SCENE),
    slot: newElement("ClipSlot", CLIP_SLOT),
    clip: newElement("AudioClip", AUDIO_CLIP),
  };
}
