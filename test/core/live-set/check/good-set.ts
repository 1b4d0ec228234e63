import { expect } from "vitest";
import { checkLiveSet } from "../../../../core/live-set/check/check-live-set.ts";
import type { FoundFile, SetFiles } from "../../../../core/live-set/check/judge-files.ts";
import type { SetFinding, SetFindingCode } from "../../../../core/live-set/check/set-finding.ts";
import { formatLiveSet } from "../../../../core/live-set/format-live-set.ts";
import type { SetAudio, SetClip, SetPlan } from "../../../../core/live-set/set-plan.ts";
import { parseXmlTree } from "../../../../core/live-set/xml-tree.ts";

/** Four silent seconds as a Set names them: `smallWav({ frames: 176_400 })`. */
const AUDIO: SetAudio = {
  file: { from: "project", relativePath: "Samples/Imported/Loop.wav", path: "/Sets/Loop.wav" },
  sizeBytes: 352_844,
  crc: 50_419,
  modifiedSeconds: 1_773_088_365,
  frames: 176_400,
  sampleRateHz: 44_100,
};

/** Eight beats at 120 BPM: all of the file. */
const LOOP: SetClip = {
  name: "Loop",
  colorIndex: 12,
  audio: AUDIO,
  warping: true,
  warpMode: 4,
  looping: true,
  end: 8,
  lengthBeats: 8,
  markers: [
    { seconds: 0, beats: 0 },
    { seconds: 4, beats: 8 },
    { seconds: 4.015_625, beats: 8.031_25 },
  ],
  gain: 0.5,
};

const ONE_SHOT: SetClip = { ...LOOP, name: "Hit", warping: false, looping: false, end: 4 };

/** Two scenes: a loop and a one-shot, then a loop. */
const PLAN: SetPlan = {
  tempoBpm: 120,
  timeSignature: [4, 4],
  scenes: [
    {
      name: "Verse",
      tracks: [
        { name: "Loop", clip: LOOP },
        { name: "Hit", clip: ONE_SHOT },
      ],
    },
    { name: "Chorus", tracks: [{ name: "Loop 2", clip: { ...LOOP, name: "Loop 2" } }] },
  ],
};

/** A Set without a fault; its numbers of pointees have a gap behind them. */
export const GOOD = formatLiveSet(PLAN).replace(
  /(<NextPointeeId Value=")\d+/,
  (_, start: string) => `${start}1000000`,
);

/** The file of all its clips. */
export const FILE: FoundFile = {
  at: "relative path",
  bytes: AUDIO.sizeBytes,
  crc: AUDIO.crc,
  modifiedSeconds: AUDIO.modifiedSeconds,
  sound: { encoding: "pcm", bitsPerSample: 16, frames: AUDIO.frames, sampleRateHz: 44_100 },
};

export function filesWith(found: FoundFile | null | undefined, hasProject = true): SetFiles {
  return { hasProject, find: () => found };
}

/** The paths of the first track, of its clip, and of the second track's. */
export const TRACK = "LiveSet/Tracks/AudioTrack[Id=0]";
export const MASTER = "LiveSet/MasterTrack";
export const CLIP = clipOf(TRACK);
export const HIT = clipOf("LiveSet/Tracks/AudioTrack[Id=1]");

function clipOf(track: string): string {
  return `${track}/DeviceChain/MainSequencer/ClipSlotList/ClipSlot[Id=0]/ClipSlot/Value/AudioClip[Id=0]`;
}

/** A send, with pointees of its own. */
export const SEND =
  '<TrackSendHolder Id="0"><Send><LomId Value="0" /><Manual Value="1" /><MidiControllerRange>' +
  '<Min Value="0.0003162277601" /><Max Value="1" /></MidiControllerRange>' +
  '<AutomationTarget Id="900000"><LockEnvelope Value="0" /></AutomationTarget>' +
  '<ModulationTarget Id="900001"><LockEnvelope Value="0" /></ModulationTarget></Send>' +
  '<Active Value="true" /></TrackSendHolder>';

/** A change to a Set's XML. */
export type Change = (xml: string) => string;

/** Replaces the first occurrence; behind `after`, if it is given. */
export function swap(from: string, to: string, after = ""): Change {
  return (xml) => {
    const start = xml.indexOf(after);
    const at = xml.indexOf(from, start);
    if (start < 0 || at < 0) throw new Error(`The Set has no ${from} after ${after}.`);
    return xml.slice(0, at) + to + xml.slice(at + from.length);
  };
}

/** Finds the first element with a tag as whole lines, with all that is in it. */
function blockOf(xml: string, tag: string, after: string): string {
  const start = xml.indexOf(after);
  const pattern = new RegExp(`^(\\t*)<${tag}(?: [^>]*)?(?:/>|>[^]*?^\\1</${tag}>)\\n`, "m");
  const found = pattern.exec(xml.slice(start));
  if (start < 0 || found === null) throw new Error(`The Set has no ${tag} after ${after}.`);
  return found[0];
}

export function drop(tag: string, after = ""): Change {
  return (xml) => swap(blockOf(xml, tag, after), "", after)(xml);
}

/** Writes an element a second time, behind itself. */
export function double(tag: string, after = ""): Change {
  return (xml) => {
    const block = blockOf(xml, tag, after);
    return swap(block, block + block, after)(xml);
  };
}

export interface Expected {
  readonly code: SetFindingCode;
  readonly path: string;
  readonly live?: string;
  /** Codes of what else follows from the same fault. */
  readonly also?: readonly SetFindingCode[];
}

/** Returns the findings on a Set. */
export function faultsIn(xml: string, files?: SetFiles): readonly SetFinding[] {
  return checkLiveSet(parseXmlTree(xml), files).list.faults;
}

/** Expects that a change is caught where it was made, and that nothing of another kind is found. */
export function expectFault(
  change: Change,
  { also = [], ...expected }: Expected,
  files?: SetFiles,
): void {
  const broken = change(GOOD);
  expect(broken).not.toBe(GOOD);
  const faults = faultsIn(broken, files);
  expect(faults).toContainEqual(expect.objectContaining(expected));
  expect(new Set(faults.map(({ code }) => code))).toEqual(new Set([expected.code, ...also]));
}
