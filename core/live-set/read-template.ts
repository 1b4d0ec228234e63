import { formatXmlTree, LIVE_SET_STYLE } from "../text/xml.ts";
import { checkLiveSet } from "./check/check-live-set.ts";
import { FindingList } from "./check/finding-list.ts";
import { judgeIds } from "./check/judge-ids.ts";
import { fillElement, type Filling, MemberMissingError } from "./fill-element.ts";
import { liveSetSentence } from "./live-set-sentences.ts";
import { makeLiveSet } from "./make-live-set.ts";
import { newElement } from "./new-element.ts";
import { resetElement } from "./reset-element.ts";
import { AUDIO_CLIP, CLIP_SLOT } from "./schema/clip.ts";
import { SCENE, SCHEMA_VERSION } from "./schema/live-set.ts";
import type { Shape } from "./schema/shape.ts";
import { AUDIO_TRACK } from "./schema/track.ts";
import {
  childrenAt,
  descend,
  everyElement,
  numberAt,
  type SetElement,
  valueAt,
} from "./set-element.ts";
import type { SetAudio, SetPlan } from "./set-plan.ts";
import { CREATOR, type SetShape } from "./set-shape.ts";
import { parseXmlTree } from "./xml-tree.ts";

/** A Set whose shape can't be used; the message is a sentence. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
}

const MAJOR = "5";
const MINOR = /^(\d+)\.\d+_\d+$/;
/** The first Live whose files a Set names in today's form. */
const OLDEST_LIVE = 11;

/**
 * Reads the shape of a Set that a person's Live saved (rule LS12).
 * @param document the element `Ableton`
 * @throws {TemplateError} if it is no Set, of a Live that is too old, or lacks what a Set needs
 */
export function readTemplate(document: SetElement): SetShape {
  try {
    const shape = shapeOf(document);
    const trial = makeLiveSet(TRIAL, shape);
    judge(trial, document.attributes.get("MinorVersion") === SCHEMA_VERSION);
    return shape;
  } catch (cause) {
    if (!(cause instanceof MemberMissingError)) throw cause;
    const { element, member } = cause;
    throw new TemplateError(liveSetSentence("TEMPLATE_LACKS", { element, member }), { cause });
  }
}

/**
 * Refuses a Set that Live didn't save like that: in the table's schema all that the check finds, in others a wrong pointee,
 * because nobody knows what else a newer Live changes.
 */
function judge(set: SetElement, isOwn: boolean): void {
  const document = parseXmlTree(formatXmlTree(set, LIVE_SET_STYLE));
  const list = new FindingList();
  if (isOwn) checkLiveSet(document, undefined, list);
  else judgeIds(document.root, list);
  const fault = list.faults.find(({ code }) => isOwn || code.startsWith("POINTEE_"));
  if (fault === undefined) return;
  throw new TemplateError(liveSetSentence("TEMPLATE_FAULTY", { path: fault.path }));
}

function shapeOf(document: SetElement): SetShape {
  const [liveSet] = document.children;
  if (document.tag !== "Ableton" || liveSet?.tag !== "LiveSet") {
    throw new TemplateError(liveSetSentence("TEMPLATE_NOT_A_SET"));
  }
  const version = versionOf(document);
  const isOwn = version === SCHEMA_VERSION;
  const tracks = childrenAt(liveSet, "Tracks");
  const audioTracks = tracks.filter(({ tag }) => tag === "AudioTrack");
  const source = audioTracks.find((track) => numberAt(track, "TrackGroupId") < 0) ?? audioTracks[0];
  const find = (tag: string, shape: Shape, found: SetElement | undefined): SetElement => {
    if (found !== undefined) return resetElement(found, shape);
    if (isOwn) return newElement(tag, shape);
    throw new TemplateError(liveSetSentence("TEMPLATE_BARE"));
  };
  const track = find("AudioTrack", AUDIO_TRACK, source);
  const slots = childrenAt(source, "DeviceChain", "MainSequencer", "ClipSlotList");
  return {
    document: emptyDocument(document, liveSet),
    track: isNewer(liveSet) ? fillElement(track, TO_MAIN) : track,
    scene: find("Scene", SCENE, childrenAt(liveSet, "Scenes")[0]),
    slot: find("ClipSlot", CLIP_SLOT, slots[0]),
    clip: find("AudioClip", AUDIO_CLIP, firstClip(tracks)),
  };
}

/** The master's name in cables since Live 12. */
const TO_MAIN: Filling = { DeviceChain: { AudioOutputRouting: { Target: "AudioOut/Main" } } };

function isNewer(liveSet: SetElement): boolean {
  return descend(liveSet, "MainTrack") !== undefined;
}

function versionOf({ attributes }: SetElement): string {
  const version = attributes.get("MinorVersion") ?? "";
  const [, live] = MINOR.exec(version) ?? [];
  if (attributes.get("MajorVersion") !== MAJOR || live === undefined) {
    throw new TemplateError(liveSetSentence("TEMPLATE_NOT_A_SET"));
  }
  if (Number(live) >= OLDEST_LIVE) return version;
  throw new TemplateError(liveSetSentence("TEMPLATE_OLD"));
}

function firstClip(tracks: readonly SetElement[]): SetElement | undefined {
  for (const track of tracks) {
    for (const element of everyElement(track)) if (element.tag === "AudioClip") return element;
  }
  return undefined;
}

/** Returns the document without tracks and scenes, and without what belongs to them. */
function emptyDocument(document: SetElement, liveSet: SetElement): SetElement {
  const empty = fillElement(liveSet, {
    Tracks: [],
    SendsPre: [],
    Scenes: [],
    Locators: { Locators: [] },
    LinkedTrackGroups: [],
    HighlightedTrackIndex: 0,
  });
  for (const element of everyElement(empty)) {
    const value = element.tag === "Target" ? valueAt(element) : undefined;
    if (value !== undefined && /^(?:Audio|Midi)(?:In|Out)\/(?:Track|Bus)\./.test(value)) {
      throw new TemplateError(liveSetSentence("TEMPLATE_TIED"));
    }
  }
  return fillElement({ ...document, children: [empty] }, { "@Creator": CREATOR });
}

/** A Set with one sound, to see whether a shape has all that is set. */
const TRIAL_AUDIO: SetAudio = {
  file: { from: "set", relativePath: "a.wav", path: "" },
  sizeBytes: 0,
  crc: 0,
  modifiedSeconds: 1_000_000_000,
  frames: 1,
  sampleRateHz: 1,
};
const TRIAL: SetPlan = {
  tempoBpm: 120,
  timeSignature: [4, 4],
  scenes: [
    {
      name: "",
      tracks: [
        {
          name: "",
          clip: {
            name: "",
            colorIndex: 0,
            audio: TRIAL_AUDIO,
            warping: true,
            warpMode: 0,
            looping: true,
            end: 1,
            lengthBeats: 1,
            markers: [
              { seconds: 0, beats: 0 },
              { seconds: 1, beats: 1 },
            ],
            gain: 1,
          },
        },
      ],
    },
  ],
};
