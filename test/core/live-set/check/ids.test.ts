import { test } from "vitest";
import { type Change, CLIP, type Expected, expectFault, MASTER, swap, TRACK } from "./good-set.ts";

type Row = readonly [what: string, Change, Expected];

const MIXER = `${TRACK}/DeviceChain/Mixer`;
const MAIN = `${TRACK}/DeviceChain/MainSequencer`;

const LIST_IDS: readonly Row[] = [
  [
    "a track without an Id",
    swap('<AudioTrack Id="1">', "<AudioTrack>"),
    { code: "LIST_ID_MISSING", path: "LiveSet/Tracks/AudioTrack" },
  ],
  [
    "the only clip of a slot without an Id",
    swap('<AudioClip Id="0" Time="0">', '<AudioClip Time="0">'),
    { code: "LIST_ID_MISSING", path: CLIP.replace(/\[Id=0\]$/, "") },
  ],
  [
    "a device without an Id",
    swap("<Devices />", "<Devices><Reverb /></Devices>"),
    { code: "LIST_ID_MISSING", path: `${TRACK}/DeviceChain/DeviceChain/Devices/Reverb` },
  ],
  [
    "two slots with one Id",
    swap('<ClipSlot Id="1">', '<ClipSlot Id="0">'),
    { code: "LIST_ID_TWICE", path: `${MAIN}/ClipSlotList/ClipSlot[Id=0]` },
  ],
  [
    "two warp markers with one Id",
    swap('<WarpMarker Id="1"', '<WarpMarker Id="0"'),
    { code: "LIST_ID_TWICE", path: `${CLIP}/WarpMarkers/WarpMarker[Id=0]` },
  ],
  [
    "two envelopes with one Id",
    swap('<AutomationEnvelope Id="1">', '<AutomationEnvelope Id="0">'),
    {
      code: "LIST_ID_TWICE",
      path: `${MASTER}/AutomationEnvelopes/Envelopes/AutomationEnvelope[Id=0]`,
    },
  ],
  [
    "an Id below 0",
    swap('<Scene Id="1">', '<Scene Id="-1">'),
    { code: "ID_FORM", path: "LiveSet/Scenes/Scene[Id=-1]" },
  ],
  [
    "an Id that is blank",
    swap('<Scene Id="1">', '<Scene Id="">'),
    { code: "ID_FORM", path: "LiveSet/Scenes/Scene[Id=]" },
  ],
];

const REFERENCES: readonly Row[] = [
  [
    "an automation target that another has, too",
    (xml) => xml.replace(/(<ModulationTarget Id=")\d+/, "$11"),
    { code: "POINTEE_TWICE", path: `${MASTER}/DeviceChain/Mixer/On/AutomationTarget[Id=1]` },
  ],
  [
    "a pointee equal to NextPointeeId",
    (xml) => xml.replace(/(<ModulationTarget Id=")\d+/, "$11000000"),
    { code: "POINTEE_TOO_HIGH", path: `${MIXER}/Pan/ModulationTarget[Id=1000000]` },
  ],
  [
    "a pointee whose number is a word",
    (xml) => xml.replace(/(<ModulationTarget Id=")\d+/, "$1one"),
    { code: "ID_FORM", path: `${MIXER}/Pan/ModulationTarget[Id=one]` },
  ],
  [
    "an envelope that points at nothing",
    (xml) => xml.replace(/(<PointeeId Value=")\d+(?="[^]*<EnumEvent)/, "$1999999"),
    {
      code: "POINTEE_DANGLING",
      path: `${MASTER}/AutomationEnvelopes/Envelopes/AutomationEnvelope[Id=0]/EnvelopeTarget/PointeeId`,
    },
  ],
  [
    "a group that isn't there",
    swap('<TrackGroupId Value="-1"', '<TrackGroupId Value="5"'),
    { code: "REFERENCE", path: `${TRACK}/TrackGroupId` },
  ],
  [
    "a track as a group",
    swap('<TrackGroupId Value="-1"', '<TrackGroupId Value="1"'),
    { code: "REFERENCE", path: `${TRACK}/TrackGroupId` },
  ],
  [
    "linked tracks that aren't there",
    swap('<LinkedTrackGroupId Value="-1"', '<LinkedTrackGroupId Value="0"'),
    { code: "REFERENCE", path: `${TRACK}/LinkedTrackGroupId` },
  ],
  [
    "a groove that isn't there",
    swap('<GrooveId Value="-1"', '<GrooveId Value="0"'),
    { code: "REFERENCE", path: `${CLIP}/GrooveSettings/GrooveId` },
  ],
  [
    "a playing slot behind the last scene",
    swap('<SavedPlayingSlot Value="-1"', '<SavedPlayingSlot Value="2"'),
    { code: "REFERENCE", path: `${TRACK}/SavedPlayingSlot` },
  ],
];

test.each(LIST_IDS)("[LS26] catches %s", (_what, change, expected) => {
  expectFault(change, expected);
});

test.each(REFERENCES)("[LS27] catches %s", (_what, change, expected) => {
  expectFault(change, expected);
});
