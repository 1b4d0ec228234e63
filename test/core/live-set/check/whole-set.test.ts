import { test } from "vitest";
import {
  type Change,
  CLIP,
  double,
  drop,
  type Expected,
  expectFault,
  MASTER,
  SEND,
  swap,
  TRACK,
} from "./good-set.ts";

type Row = readonly [rule: string, what: string, Change, Expected];

const MIXER = `${TRACK}/DeviceChain/Mixer`;
const MAIN = `${TRACK}/DeviceChain/MainSequencer`;
const TEMPO_EVENT = '<FloatEvent Id="0" Time="-63072000" Value="120" />';
const METER_EVENT = '<EnumEvent Id="0" Time="-63072000" Value="201" />';
/** Doubles an element with a new `Id`. */
const another = (tag: string, after = ""): Change => {
  const second = new RegExp(`(</${tag}>\\s*<${tag} Id=")\\d+`);
  return (xml) => double(tag, after)(xml).replace(second, "$177");
};

const IDS: readonly Row[] = [
  [
    "LS26",
    "a track without an Id",
    swap('<AudioTrack Id="1">', "<AudioTrack>"),
    { code: "LIST_ID_MISSING", path: "LiveSet/Tracks/AudioTrack" },
  ],
  [
    "LS26",
    "the only clip of a slot without an Id",
    swap('<AudioClip Id="0" Time="0">', '<AudioClip Time="0">'),
    { code: "LIST_ID_MISSING", path: CLIP.replace(/\[Id=0\]$/, "") },
  ],
  [
    "LS26",
    "a device without an Id",
    swap("<Devices />", "<Devices><Reverb /></Devices>"),
    { code: "LIST_ID_MISSING", path: `${TRACK}/DeviceChain/DeviceChain/Devices/Reverb` },
  ],
  [
    "LS26",
    "two slots with one Id",
    swap('<ClipSlot Id="1">', '<ClipSlot Id="0">'),
    { code: "LIST_ID_TWICE", path: `${MAIN}/ClipSlotList/ClipSlot[Id=0]` },
  ],
  [
    "LS26",
    "two warp markers with one Id",
    swap('<WarpMarker Id="1"', '<WarpMarker Id="0"'),
    { code: "LIST_ID_TWICE", path: `${CLIP}/WarpMarkers/WarpMarker[Id=0]` },
  ],
  [
    "LS26",
    "two envelopes with one Id",
    swap('<AutomationEnvelope Id="1">', '<AutomationEnvelope Id="0">'),
    {
      code: "LIST_ID_TWICE",
      path: `${MASTER}/AutomationEnvelopes/Envelopes/AutomationEnvelope[Id=0]`,
    },
  ],
  [
    "LS26",
    "an Id below 0",
    swap('<Scene Id="1">', '<Scene Id="-1">'),
    { code: "ID_FORM", path: "LiveSet/Scenes/Scene[Id=-1]" },
  ],
  [
    "LS26",
    "an Id that is blank",
    swap('<Scene Id="1">', '<Scene Id="">'),
    { code: "ID_FORM", path: "LiveSet/Scenes/Scene[Id=]" },
  ],
  [
    "LS27",
    "an automation target that another has, too",
    (xml) => xml.replace(/(<ModulationTarget Id=")\d+/, "$11"),
    { code: "POINTEE_TWICE", path: `${MASTER}/DeviceChain/Mixer/On/AutomationTarget[Id=1]` },
  ],
  [
    "LS27",
    "a pointee equal to NextPointeeId",
    (xml) => xml.replace(/(<ModulationTarget Id=")\d+/, "$11000000"),
    { code: "POINTEE_TOO_HIGH", path: `${MIXER}/Pan/ModulationTarget[Id=1000000]` },
  ],
  [
    "LS27",
    "a pointee whose number is a word",
    (xml) => xml.replace(/(<ModulationTarget Id=")\d+/, "$1one"),
    { code: "ID_FORM", path: `${MIXER}/Pan/ModulationTarget[Id=one]` },
  ],
  [
    "LS27",
    "an envelope that points at nothing",
    (xml) => xml.replace(/(<PointeeId Value=")\d+(?="[^]*<EnumEvent)/, "$1999999"),
    {
      code: "POINTEE_DANGLING",
      path: `${MASTER}/AutomationEnvelopes/Envelopes/AutomationEnvelope[Id=0]/EnvelopeTarget/PointeeId`,
    },
  ],
  [
    "LS27",
    "a group that isn't there",
    swap('<TrackGroupId Value="-1"', '<TrackGroupId Value="5"'),
    { code: "REFERENCE", path: `${TRACK}/TrackGroupId` },
  ],
  [
    "LS27",
    "a track as a group",
    swap('<TrackGroupId Value="-1"', '<TrackGroupId Value="1"'),
    { code: "REFERENCE", path: `${TRACK}/TrackGroupId` },
  ],
  [
    "LS27",
    "linked tracks that aren't there",
    swap('<LinkedTrackGroupId Value="-1"', '<LinkedTrackGroupId Value="0"'),
    { code: "REFERENCE", path: `${TRACK}/LinkedTrackGroupId` },
  ],
  [
    "LS27",
    "a groove that isn't there",
    swap('<GrooveId Value="-1"', '<GrooveId Value="0"'),
    { code: "REFERENCE", path: `${CLIP}/GrooveSettings/GrooveId` },
  ],
  [
    "LS27",
    "a playing slot behind the last scene",
    swap('<SavedPlayingSlot Value="-1"', '<SavedPlayingSlot Value="2"'),
    { code: "REFERENCE", path: `${TRACK}/SavedPlayingSlot` },
  ],
];

const COUNTS: readonly Row[] = [
  [
    "LS28",
    "a slot too many",
    another("ClipSlot", "</ClipSlot>\n\t\t\t\t\t\t\t<ClipSlot"),
    { code: "SLOTS", path: `${MAIN}/ClipSlotList` },
  ],
  [
    "LS28",
    "a scene less than slots",
    drop("Scene"),
    { code: "SLOTS", path: `${MAIN}/ClipSlotList` },
  ],
  [
    "LS28",
    "no scene",
    (xml) => xml.replace(/<Scenes>[^]*<\/Scenes>/, "<Scenes />"),
    { code: "NO_SCENES", path: "LiveSet/Scenes", also: ["SLOTS"] },
  ],
  ["LS28", "no list of slots", drop("ClipSlotList"), { code: "MEMBER_MISSING", path: MAIN }],
  [
    "LS28",
    "no frozen sequencer",
    drop("FreezeSequencer"),
    { code: "MEMBER_MISSING", path: `${TRACK}/DeviceChain` },
  ],
  [
    "LS28",
    "a return's entry without a return",
    swap("<SendsPre />", '<SendsPre><SendPreBool Id="0" Value="false" /></SendsPre>'),
    { code: "SENDS_PRE", path: "LiveSet/SendsPre" },
  ],
  [
    "LS28",
    "a return without sends and entry",
    swap("</Tracks>", '<ReturnTrack Id="8" /></Tracks>'),
    { code: "SENDS_FEWER", path: MIXER + "/Sends", also: ["SENDS_PRE"] },
  ],
  [
    "LS28",
    "a master with a send",
    swap("<Sends />", `<Sends>${SEND}</Sends>`, "<MasterTrack>"),
    { code: "SENDS_MORE", path: `${MASTER}/DeviceChain/Mixer/Sends` },
  ],
  [
    "LS28",
    "no master",
    drop("MasterTrack"),
    {
      code: "MASTER",
      path: "LiveSet",
      also: ["MEMBER_MISSING"],
    },
  ],
  [
    "LS28",
    "two tracks for cueing",
    double("PreHearTrack"),
    {
      code: "MASTER",
      path: "LiveSet",
      also: ["MEMBER_TWICE", "POINTEE_TWICE"],
    },
  ],
  [
    "LS28",
    "the master of Live 12",
    (xml) => xml.replaceAll("MasterTrack>", "MainTrack>"),
    { code: "MASTER", path: "LiveSet", also: ["MEMBER_MISSING", "UNKNOWN_CLASS"] },
  ],
  [
    "LS28",
    "a master with some slots",
    swap("<ClipSlotList />", '<ClipSlotList><ClipSlot Id="0" /></ClipSlotList>', "<MasterTrack>"),
    {
      code: "SLOTS",
      path: `${MASTER}/DeviceChain/FreezeSequencer/AudioSequencer[Id=0]/ClipSlotList`,
      also: ["MEMBER_MISSING"],
    },
  ],
  [
    "LS28",
    "a track's sequencer in a list",
    (xml) =>
      xml.replace(
        /<FreezeSequencer>([^]*?)<\/FreezeSequencer>/,
        '<FreezeSequencer><AudioSequencer Id="0">$1</AudioSequencer></FreezeSequencer>',
      ),
    {
      code: "UNKNOWN_CLASS",
      path: `${TRACK}/DeviceChain/FreezeSequencer/AudioSequencer[Id=0]`,
      also: ["MEMBER_MISSING"],
    },
  ],
];

const routing = (from: string, to: string) =>
  swap(`<Target Value="${from}"`, `<Target Value="${to}"`);
const ROUTES: readonly (readonly [name: string, from: string, to: string])[] = [
  ["AudioOutputRouting", "AudioOut/Master", "AudioOut/Mastr"],
  ["AudioOutputRouting", "AudioOut/Master", "AudioOut/Main"],
  ["AudioOutputRouting", "AudioOut/Master", "AudioOut/GroupTrack"],
  ["AudioOutputRouting", "AudioOut/Master", "AudioOut/Track.9/TrackIn"],
  ["AudioOutputRouting", "AudioOut/Master", "AudioIn/External/S0"],
  ["AudioOutputRouting", "AudioOut/Master", ""],
  ["AudioInputRouting", "AudioIn/External/M0", "AudioIn/Extern/M0"],
  ["AudioInputRouting", "AudioIn/External/M0", "AudioIn/External/X0"],
  ["AudioInputRouting", "AudioIn/External/M0", "AudioIn/Track.99/TrackOut"],
  ["MidiInputRouting", "MidiIn/External.All/-1", "MidiIn/Ext.All/-1"],
  ["MidiOutputRouting", "MidiOut/None", "MidiOut/Nothing"],
];

const rowsOf = (rule: string) =>
  [...IDS, ...COUNTS].flatMap(([its, ...row]) => (its === rule ? [row] : []));

test.each(rowsOf("LS26"))("[LS26] catches %s", (_what, change, expected) => {
  expectFault(change, expected);
});

test.each(rowsOf("LS27"))("[LS27] catches %s", (_what, change, expected) => {
  expectFault(change, expected);
});

test.each(rowsOf("LS28"))("[LS28] catches %s", (_what, change, expected) => {
  expectFault(change, expected);
});

test.each(ROUTES)("[LS29] catches a track's %s from %s to %s", (name, from, to) => {
  const path = `${TRACK}/DeviceChain/${name}/Target`;
  const leadsNowhere = /Track/.test(to);
  expectFault(routing(from, to), { code: leadsNowhere ? "ROUTING" : "FORM", path });
});

const TEMPO: readonly (readonly [what: string, Change, Expected])[] = [
  [
    "a tempo that differs in the envelope",
    swap(TEMPO_EVENT, TEMPO_EVENT.replace("120", "121")),
    { code: "TEMPO_DIFFERS", path: `${MASTER}/DeviceChain/Mixer/Tempo/Manual` },
  ],
  [
    "a tempo without an event",
    swap(TEMPO_EVENT, ""),
    { code: "TEMPO_ONCE", path: `${MASTER}/DeviceChain/Mixer/Tempo/Manual` },
  ],
  [
    "a tempo without an envelope",
    (xml) => xml.replace(/<AutomationEnvelope Id="1">[^]*?<\/AutomationEnvelope>/, ""),
    { code: "TEMPO_ONCE", path: `${MASTER}/DeviceChain/Mixer/Tempo/Manual` },
  ],
  [
    "no tempo",
    drop("Tempo", "<MasterTrack>"),
    { code: "MEMBER_MISSING", path: `${MASTER}/DeviceChain/Mixer`, also: ["POINTEE_DANGLING"] },
  ],
  [
    "a meter that differs in the envelope",
    swap(METER_EVENT, METER_EVENT.replace("201", "200")),
    { code: "METER_DIFFERS", path: `${MASTER}/DeviceChain/Mixer/TimeSignature/Manual` },
  ],
];

test.each(TEMPO)("[LS29] catches %s", (_what, change, expected) => {
  expectFault(change, expected);
});
