import { test } from "vitest";
import {
  type Change,
  double,
  drop,
  type Expected,
  expectFault,
  MASTER,
  SEND,
  swap,
  TRACK,
} from "./good-set.ts";

type Row = readonly [what: string, Change, Expected];

const MIXER = `${TRACK}/DeviceChain/Mixer`;
const MAIN = `${TRACK}/DeviceChain/MainSequencer`;
const TEMPO_EVENT = '<FloatEvent Id="0" Time="-63072000" Value="120" />';
const METER_EVENT = '<EnumEvent Id="0" Time="-63072000" Value="201" />';
/** Doubles an element with a new `Id`. */
const another = (tag: string, after = ""): Change => {
  const second = new RegExp(`(</${tag}>\\s*<${tag} Id=")\\d+`);
  return (xml) => double(tag, after)(xml).replace(second, "$177");
};

const COUNTS: readonly Row[] = [
  [
    "a group without tracks",
    (xml) => xml.replace(/<Tracks>[^]*<\/Tracks>/, '<Tracks><GroupTrack Id="1" /></Tracks>'),
    { code: "NO_TRACKS", path: "LiveSet/Tracks" },
  ],
  [
    "a slot too many",
    another("ClipSlot", "</ClipSlot>\n\t\t\t\t\t\t\t<ClipSlot"),
    { code: "SLOTS", path: `${MAIN}/ClipSlotList` },
  ],
  ["a scene less than slots", drop("Scene"), { code: "SLOTS", path: `${MAIN}/ClipSlotList` }],
  [
    "no scene",
    (xml) => xml.replace(/<Scenes>[^]*<\/Scenes>/, "<Scenes />"),
    { code: "NO_SCENES", path: "LiveSet/Scenes", also: ["SLOTS"] },
  ],
  ["no list of slots", drop("ClipSlotList"), { code: "MEMBER_MISSING", path: MAIN }],
  [
    "no frozen sequencer",
    drop("FreezeSequencer"),
    { code: "MEMBER_MISSING", path: `${TRACK}/DeviceChain` },
  ],
  [
    "a return's entry without a return",
    swap("<SendsPre />", '<SendsPre><SendPreBool Id="0" Value="false" /></SendsPre>'),
    { code: "SENDS_PRE", path: "LiveSet/SendsPre" },
  ],
  [
    "a return without sends and entry",
    swap("</Tracks>", '<ReturnTrack Id="8" /></Tracks>'),
    { code: "SENDS_FEWER", path: MIXER + "/Sends", also: ["SENDS_PRE"] },
  ],
  [
    "a master with a send",
    swap("<Sends />", `<Sends>${SEND}</Sends>`, "<MasterTrack>"),
    { code: "SENDS_MORE", path: `${MASTER}/DeviceChain/Mixer/Sends` },
  ],
  [
    "no master",
    drop("MasterTrack"),
    {
      code: "MASTER",
      path: "LiveSet",
      also: ["MEMBER_MISSING"],
    },
  ],
  [
    "two tracks for cueing",
    double("PreHearTrack"),
    {
      code: "MASTER",
      path: "LiveSet",
      also: ["MEMBER_TWICE", "POINTEE_TWICE"],
    },
  ],
  [
    "the master of Live 12",
    (xml) => xml.replaceAll("MasterTrack>", "MainTrack>"),
    { code: "MASTER", path: "LiveSet", also: ["MEMBER_MISSING", "UNKNOWN_CLASS"] },
  ],
  [
    "a master with some slots",
    swap("<ClipSlotList />", '<ClipSlotList><ClipSlot Id="0" /></ClipSlotList>', "<MasterTrack>"),
    {
      code: "SLOTS",
      path: `${MASTER}/DeviceChain/FreezeSequencer/AudioSequencer[Id=0]/ClipSlotList`,
      also: ["MEMBER_MISSING"],
    },
  ],
  [
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

test.each(COUNTS)("[LS28] catches %s", (_what, change, expected) => {
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
