import { expect, test } from "vitest";
import { LIVE_REFUSALS } from "../../../../core/live-set/check/set-finding.ts";
import {
  CLIP,
  double,
  type Change,
  drop,
  type Expected,
  expectFault,
  MASTER,
  SEND,
  swap,
  TRACK,
} from "./good-set.ts";

/** The `Id` of the first pointee that has this tag. */
const POINTEE = /<Pointee Id="(\d+)" \/>/;

/** Each text with which people saw Live refuse a Set, and what brought it about. */
const REFUSALS: readonly (readonly [rule: string, what: string, Change, Expected])[] = [
  [
    "LS23",
    "a schema with dots",
    swap("11.0_433", "11.0.11202"),
    { code: "MINOR_VERSION", path: "Ableton", live: "Unsupported MinorVersion (11.0.11202)" },
  ],
  [
    "LS23",
    "a schema that is Live's version",
    swap("11.0_433", "12.0.2"),
    { code: "MINOR_VERSION", path: "Ableton", live: "Unsupported MinorVersion (12.0.2)" },
  ],
  [
    "LS23",
    "a schema of a later Live",
    swap("11.0_433", "13.0_13000"),
    {
      code: "NEWER_SCHEMA",
      path: "Ableton",
      live: "Unsupported MinorVersion (13.0_13000)",
      also: ["MASTER", "OVERWRITE_NUMBER"],
    },
  ],
  [
    "LS24",
    "a member that is missing",
    drop("FollowActionEnabled"),
    {
      code: "MEMBER_MISSING",
      path: `${CLIP}/FollowAction`,
      live: `Member "FollowActionEnabled" of Class FollowAction is missing, path: ${CLIP}/FollowAction`,
    },
  ],
  [
    "LS27",
    "a pointee 0",
    (xml) => xml.replace(POINTEE, '<Pointee Id="0" />'),
    {
      code: "POINTEE_ZERO",
      path: `${TRACK}/DeviceChain/Mixer/Pointee[Id=0]`,
      live: "Invalid Pointee Id.",
    },
  ],
  [
    "LS27",
    "a pointee that NextPointeeId doesn't cover",
    (xml) => xml.replace(POINTEE, '<Pointee Id="2000000" />'),
    {
      code: "POINTEE_TOO_HIGH",
      path: `${TRACK}/DeviceChain/Mixer/Pointee[Id=2000000]`,
      live: "Invalid Pointee Id.",
    },
  ],
  [
    "LS27",
    "pointees that share a number",
    (xml) => xml.replaceAll(new RegExp(POINTEE, "g"), '<Pointee Id="1" />'),
    {
      code: "POINTEE_TWICE",
      path: `${TRACK}/DeviceChain/MainSequencer/Pointee[Id=1]`,
      live: "PointeeId 1 is used 13 times",
    },
  ],
  [
    "LS26",
    "a list in which two members share an Id",
    swap('<Scene Id="1">', '<Scene Id="0">'),
    { code: "LIST_ID_TWICE", path: "LiveSet/Scenes/Scene[Id=0]", live: "Non-unique list ids" },
  ],
  [
    "LS26",
    "a member of a list without an Id",
    swap('<WarpMarker Id="1" ', "<WarpMarker "),
    {
      code: "LIST_ID_MISSING",
      path: `${CLIP}/WarpMarkers/WarpMarker`,
      live: "Not all list members have Ids. (at line 350)",
    },
  ],
  [
    "LS26",
    "an Id that tracks of two kinds share",
    swap('<AudioTrack Id="1">', '<AudioTrack Id="2">'),
    {
      code: "LIST_ID_TWICE",
      path: "LiveSet/Tracks/AudioTrack[Id=2]",
      live: "Non-unique list ids",
    },
  ],
  [
    "LS24",
    "a class that isn't in the schema",
    swap("<Freeze ", '<IsPlaying Value="false" />\n\t\t\t\t<Freeze '),
    { code: "UNKNOWN_CLASS", path: `${TRACK}/IsPlaying`, live: "Unknown class 'IsPlaying'" },
  ],
  [
    "LS24",
    "an attribute that isn't in the schema",
    swap("<Freeze Value", '<Freeze Lom="0" Value'),
    { code: "UNKNOWN_ATTRIBUTE", path: `${TRACK}/Freeze`, live: "Unknown attribute 'Lom'" },
  ],
  [
    "LS25",
    "a blank where a whole number is",
    swap('<PreferredContentViewMode Value="0"', '<PreferredContentViewMode Value=""'),
    {
      code: "INT",
      path: `${TRACK}/PreferredContentViewMode`,
      live: "Unexpected value for int64 node",
    },
  ],
  [
    "LS28",
    "a frozen list of slots that is too short",
    (xml) =>
      xml
        .replace(
          /(<FreezeSequencer>[^]*?<ClipSlotList>\n)\t*<ClipSlot Id="0">[^]*?\n\t{7}<\/ClipSlot>\n/,
          "$1",
        )
        .replace(/(<FreezeSequencer>[^]*?<ClipSlot Id=")1"/, '$10"'),
    {
      code: "SLOTS",
      path: `${TRACK}/DeviceChain/FreezeSequencer/ClipSlotList`,
      live: "Slot Count Mismatch",
    },
  ],
  [
    "LS28",
    "a scene without slots",
    (xml) => double("Scene")(xml).replace(/(<\/Scene>\s+)<Scene Id="0">/, '$1<Scene Id="7">'),
    {
      code: "SLOTS",
      path: `${TRACK}/DeviceChain/MainSequencer/ClipSlotList`,
      live: "Slot Count Mismatch",
    },
  ],
  [
    "LS28",
    "more sends than returns",
    swap("<Sends />", `<Sends>${SEND}</Sends>`),
    {
      code: "SENDS_MORE",
      path: `${TRACK}/DeviceChain/Mixer/Sends`,
      live: "Track has more send knobs than set has return tracks",
    },
  ],
  [
    "LS28",
    "a master whose sequencer isn't in a list",
    (xml) => xml.replace(/<AudioSequencer Id="0">([^]*?)<\/AudioSequencer>/, "$1"),
    {
      code: "SEQUENCER_PLACE",
      path: `${MASTER}/DeviceChain/FreezeSequencer`,
      live: "Unknown class 'LomId'",
      also: ["UNKNOWN_CLASS"],
    },
  ],
  [
    "LS28",
    "a Set without a track",
    (xml) => xml.replace(/<Tracks>[^]*<\/Tracks>/, "<Tracks />"),
    { code: "NO_TRACKS", path: "LiveSet/Tracks", live: "Set has no player tracks" },
  ],
];

test.each(REFUSALS)("[%s] catches what Live refuses: %s", (_rule, _what, change, expected) => {
  expectFault(change, expected);
});

test("[LS21] every refusal whose words are known is planted above", () => {
  const planted = new Set(REFUSALS.map(([, , , { code }]) => code));
  expect([...planted].toSorted()).toEqual(Object.keys(LIVE_REFUSALS).toSorted());
});
