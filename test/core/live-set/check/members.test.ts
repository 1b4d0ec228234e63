import { expect, test } from "vitest";
import {
  type Change,
  CLIP,
  double,
  drop,
  type Expected,
  expectFault,
  faultsIn,
  GOOD,
  MASTER,
  swap,
  TRACK,
} from "./good-set.ts";

test("[LS34] the Set that all these changes begin with has no fault", () => {
  expect(faultsIn(GOOD)).toEqual([]);
});

type Row = readonly [what: string, Change, Expected];

const HEADER: readonly Row[] = [
  [
    "no declaration",
    (xml) => xml.slice(xml.indexOf("<Ableton")),
    { code: "NO_DECLARATION", path: "Ableton" },
  ],
  [
    "another encoding",
    swap('encoding="UTF-8"', 'encoding="UTF-16"'),
    { code: "NO_DECLARATION", path: "Ableton" },
  ],
  [
    "another outermost element",
    (xml) => xml.replaceAll(/(<\/?)Ableton/g, "$1Project"),
    { code: "ROOT", path: "Project" },
  ],
  ["two Sets", swap("</Ableton>", "<LiveSet /></Ableton>"), { code: "LIVE_SET", path: "Ableton" }],
  [
    "something beside the Set",
    swap("</Ableton>", "<Extra /></Ableton>"),
    { code: "UNKNOWN_CLASS", path: "Extra" },
  ],
  [
    "no Creator",
    (xml) => xml.replace(/ Creator="[^"]*"/, ""),
    { code: "ATTRIBUTE_MISSING", path: "Ableton" },
  ],
  [
    "an attribute of nobody",
    swap("<Ableton ", '<Ableton Edition="Suite" '),
    { code: "UNKNOWN_ATTRIBUTE", path: "Ableton" },
  ],
  [
    "another MajorVersion",
    swap('MajorVersion="5"', 'MajorVersion="11"'),
    { code: "MAJOR_VERSION", path: "Ableton" },
  ],
  [
    "a MinorVersion of another form",
    swap("11.0_433", "11_433"),
    { code: "MINOR_VERSION", path: "Ableton" },
  ],
  [
    "a SchemaChangeCount that is no number",
    swap("<Ableton ", '<Ableton SchemaChangeCount="" '),
    { code: "INT", path: "Ableton" },
  ],
  [
    "the OverwriteProtectionNumber of Live 12",
    swap('Number Value="2816"', 'Number Value="3072"'),
    { code: "OVERWRITE_NUMBER", path: "LiveSet/OverwriteProtectionNumber" },
  ],
];

test.each(HEADER)("[LS23] catches %s", (_what, change, expected) => {
  expectFault(change, expected);
});

const PLACES: readonly Row[] = [
  ["a part of a track that is missing", drop("Freeze"), { code: "MEMBER_MISSING", path: TRACK }],
  [
    "a part of the Set that is missing",
    drop("ViewStates"),
    { code: "MEMBER_MISSING", path: "LiveSet" },
  ],
  [
    "a part of a marker's reference that is missing",
    drop("SampleUsageHint"),
    { code: "MEMBER_MISSING", path: `${CLIP}/SampleRef` },
  ],
  [
    "a part of a later schema",
    swap("<WarpMode ", '<IsInKey Value="false" />\n<WarpMode '),
    { code: "UNKNOWN_CLASS", path: `${CLIP}/IsInKey` },
  ],
  [
    "a later schema's name",
    (xml) => xml.replaceAll("ViewStateSesstionTrackWidth", "ViewStateSessionTrackWidth"),
    {
      code: "UNKNOWN_CLASS",
      path: `${TRACK}/DeviceChain/Mixer/ViewStateSessionTrackWidth`,
      also: ["MEMBER_MISSING"],
    },
  ],
  ["a member that is there twice", double("Freeze"), { code: "MEMBER_TWICE", path: TRACK }],
  [
    "two members that have changed places",
    (xml) =>
      xml.replace(/(\t*<SavedPlayingSlot [^>]*>\n)(\t*<SavedPlayingOffset [^>]*>\n)/, "$2$1"),
    { code: "MEMBER_ORDER", path: `${TRACK}/SavedPlayingSlot` },
  ],
  [
    "a member at the wrong end",
    (xml) => xml.replace(/(<AudioTrack .*\n)(.*<LomId .*\n)([^]*?)(\t*<\/AudioTrack>)/, "$1$3$2$4"),
    { code: "MEMBER_ORDER", path: `${TRACK}/LomId` },
  ],
  [
    "an element where a value is",
    swap('<Freeze Value="false" />', '<Freeze Value="false"><On /></Freeze>'),
    { code: "UNKNOWN_CLASS", path: `${TRACK}/Freeze/On` },
  ],
  [
    "characters",
    swap('<Freeze Value="false" />', '<Freeze Value="false">no</Freeze>'),
    { code: "CHARACTERS", path: `${TRACK}/Freeze` },
  ],
  [
    "a value that isn't there",
    swap('<Freeze Value="false" />', "<Freeze />"),
    { code: "ATTRIBUTE_MISSING", path: `${TRACK}/Freeze` },
  ],
  [
    "an Id where none is",
    swap('<Freeze Value="false" />', '<Freeze Id="0" Value="false" />'),
    { code: "UNKNOWN_ATTRIBUTE", path: `${TRACK}/Freeze[Id=0]` },
  ],
  [
    "a pointee without a lock",
    drop("LockEnvelope"),
    {
      code: "MEMBER_MISSING",
      path: `${TRACK}/DeviceChain/Mixer/On/AutomationTarget[Id=39]`,
    },
  ],
  [
    "two clips in one slot",
    (xml) =>
      double("AudioClip")(xml).replace(
        /(<\/AudioClip>\s*)<AudioClip Id="0"/,
        '$1<AudioClip Id="1"',
      ),
    { code: "TOO_MANY", path: CLIP.replace(/\/AudioClip.*$/, "") },
  ],
  [
    "a member of a list that belongs elsewhere",
    swap("<Scenes>", '<Scenes><Track Id="9" />'),
    { code: "UNKNOWN_CLASS", path: "LiveSet/Scenes/Track[Id=9]", also: ["SLOTS"] },
  ],
];

test.each(PLACES)("[LS24] catches %s", (_what, change, expected) => {
  expectFault(change, expected);
});

const value = (member: string, from: string, to: string) =>
  swap(`<${member} Value="${from}"`, `<${member} Value="${to}"`);

const VALUES: readonly Row[] = [
  ["a decimal number as a whole one", value("VelocityDetail", "0", "0.5"), int("VelocityDetail")],
  ["a word as a number", value("VelocityDetail", "0", "none"), int("VelocityDetail")],
  ["more than 64 bits", value("VelocityDetail", "0", "9223372036854775808"), int("VelocityDetail")],
  ["a number with a space", value("VelocityDetail", "0", " 0"), int("VelocityDetail")],
  ["a blank decimal number", value("SavedPlayingOffset", "0", ""), type("SavedPlayingOffset")],
  ["no number at all", value("SavedPlayingOffset", "0", "NaN"), type("SavedPlayingOffset")],
  ["a decimal comma", value("SavedPlayingOffset", "0", "0,5"), type("SavedPlayingOffset")],
  ["a number without end", value("SavedPlayingOffset", "0", "1e999"), type("SavedPlayingOffset")],
  ["a number as true or false", value("Freeze", "false", "0"), type("Freeze")],
  ["True with a capital", value("Freeze", "false", "True"), type("Freeze")],
  ["warp mode 5", value("WarpMode", "4", "5"), { code: "CHOICE", path: `${CLIP}/WarpMode` }],
  [
    "RelativePathType 9",
    value("RelativePathType", "3", "9"),
    { code: "CHOICE", path: `${CLIP}/SampleRef/FileRef/RelativePathType` },
  ],
  ["Type 0", value("Type", "2", "0"), { code: "CHOICE", path: `${CLIP}/SampleRef/FileRef/Type` }],
  [
    "a gain above +24 dB",
    value("SampleVolume", "0.5", "16"),
    { code: "RANGE", path: `${CLIP}/SampleVolume` },
  ],
  [
    "a gain in decibels",
    value("SampleVolume", "0.5", "-6"),
    { code: "RANGE", path: `${CLIP}/SampleVolume` },
  ],
  ["color 70 of a track", value("Color", "12", "70"), { code: "RANGE", path: `${TRACK}/Color` }],
  ["no color of a track", value("Color", "12", "-1"), { code: "RANGE", path: `${TRACK}/Color` }],
  [
    "a tempo of 1000",
    (xml) =>
      xml
        .replaceAll('<Manual Value="120" />', '<Manual Value="1000" />')
        .replaceAll(/(<FloatEvent .*Value=)"120"/g, '$1"1000"'),
    { code: "RANGE", path: `${MASTER}/DeviceChain/Mixer/Tempo/Manual` },
  ],
  [
    "a checksum of 17 bits",
    value("OriginalCrc", "50419", "65536"),
    { code: "RANGE", path: `${CLIP}/SampleRef/FileRef/OriginalCrc` },
  ],
  [
    "color 70 of a scene",
    swap('<Color Value="-1"', '<Color Value="70"', "<Scenes>"),
    { code: "RANGE", path: "LiveSet/Scenes/Scene[Id=0]/Color" },
  ],
];

test.each(VALUES)("[LS25] catches %s", (_what, change, expected) => {
  expectFault(change, expected);
});

function int(member: string): Expected {
  return { code: "INT", path: `${TRACK}/${member}` };
}

function type(member: string): Expected {
  return { code: "TYPE", path: `${TRACK}/${member}` };
}
