import { describe, expect, test } from "vitest";
import { checkLiveSet } from "../../../../core/live-set/check/check-live-set.ts";
import { pathOf } from "../../../../core/live-set/check/finding-list.ts";
import { everyElement } from "../../../../core/live-set/set-element.ts";
import { parseXmlTree } from "../../../../core/live-set/xml-tree.ts";
import { type Change, faultsIn, GOOD, SEND, swap } from "./good-set.ts";

function notesOn(xml: string) {
  return checkLiveSet(parseXmlTree(xml)).list.notes.map(({ code }) => code);
}

/** Sends for every track but the master and the cue, with pointees of their own. */
const withSends: Change = (xml) => {
  let next = 900_000;
  const end = xml.indexOf("<MasterTrack>");
  const tracks = xml
    .slice(0, end)
    .replaceAll(
      "<Sends />",
      () => `<Sends>${SEND.replaceAll(/90000\d/g, () => String(next++))}</Sends>`,
    );
  return tracks + xml.slice(end);
};

const OTHER_TRACKS =
  '<GroupTrack Id="17"><Color Value="3" /><TrackGroupId Value="-1" /><Slots><GroupTrackSlot Id="0" />' +
  '<GroupTrackSlot Id="1" /></Slots><DeviceChain><Mixer><Sends /></Mixer><FreezeSequencer><ClipSlotList />' +
  "</FreezeSequencer></DeviceChain></GroupTrack>" +
  '<ReturnTrack Id="2"><Color Value="4" /><TrackGroupId Value="-1" /><DeviceChain><Mixer><Sends /></Mixer>' +
  "<FreezeSequencer><ClipSlotList /></FreezeSequencer></DeviceChain></ReturnTrack>";

const KEY_MAP =
  '<KeyMidi><PersistentKeyString Value="q" /><IsNote Value="false" /><Channel Value="-1" /></KeyMidi>';

describe("what Live writes, too", () => {
  test.each<readonly [string, Change]>([
    [
      "groups and returns whose frozen sequencers have no slots",
      (xml) =>
        withSends(
          swap(
            "</Tracks>",
            `${OTHER_TRACKS}</Tracks>`,
          )(xml.replaceAll('<AudioTrack Id="2">', '<AudioTrack Id="5">')),
        ).replace("<SendsPre />", '<SendsPre><SendPreBool Id="0" Value="true" /></SendsPre>'),
    ],
    [
      "tracks in a group, which lead into it",
      (xml) =>
        swap(
          "</Tracks>",
          `${OTHER_TRACKS.replace(/<ReturnTrack.*/, "")}</Tracks>`,
        )(xml)
          .replace('<TrackGroupId Value="-1"', '<TrackGroupId Value="17"')
          .replace('"AudioOut/Master"', '"AudioOut/GroupTrack"'),
    ],
    ["cables between tracks", swap("AudioIn/External/M0", "AudioIn/Track.1/PostFxOut")],
    [
      "ids of markers that don't begin at 0 and are in no order",
      (xml) =>
        xml.replaceAll(/<WarpMarker Id="(\d)"/g, (_, id) => `<WarpMarker Id="${5 - Number(id)}"`),
    ],
    ["a hidden marker with a tempo of its own", swap('SecTime="4.015625"', 'SecTime="4.02"')],
    [
      "two markers, of which the last is the hidden one",
      (xml) => xml.replaceAll(/\t*<WarpMarker Id="2".*\n/g, ""),
    ],
    [
      "a first marker inside the file, and beats before it",
      (xml) =>
        swap(
          'SecTime="0" BeatTime="0"',
          'SecTime="0.0392" BeatTime="0"',
        )(xml)
          .replace('<LoopStart Value="0"', '<LoopStart Value="-0.0705"')
          .replace('<StartRelative Value="0"', '<StartRelative Value="0.0705"')
          .replace('<CurrentEnd Value="8"', '<CurrentEnd Value="8.0705"'),
    ],
    [
      "a tempo that changes",
      (xml) =>
        xml.replace(
          /<FloatEvent Id="0" Time="-63072000" Value="120" \/>/,
          '<FloatEvent Id="0" Time="-63072000" Value="90" CurveControl1X="0.5" CurveControl1Y="0.5" ' +
            'CurveControl2X="0.5" CurveControl2Y="0.5" /><FloatEvent Id="1" Time="8" Value="120" />',
        ),
    ],
    [
      "a clip of the arrangement, which plays from where it lies",
      (xml) => {
        const clip = /<AudioClip [^]*?<\/AudioClip>/.exec(xml)?.[0] ?? "";
        const placed = clip
          .replace('Time="0"', 'Time="16"')
          .replace('<CurrentStart Value="0"', '<CurrentStart Value="16"')
          .replace('<CurrentEnd Value="8"', '<CurrentEnd Value="24"');
        return swap("<Events />", `<Events>${placed}</Events>`)(xml);
      },
    ],
    ["a key map", swap("<Manual ", `${KEY_MAP}<Manual `)],
    ["a scene's color and tempo", swap('<Color Value="-1" />', '<Color Value="69" />', "<Scene ")],
    ["a SchemaChangeCount", swap("<Ableton ", '<Ableton SchemaChangeCount="3" ')],
    ["a Revision", swap('Revision=""', 'Revision="9dc150af"')],
    ["the OverwriteProtectionNumber of Live 11.1", swap('Value="2816"', 'Value="2817"')],
    ["a number with an exponent", swap('<LeftTime Value="0"', '<LeftTime Value="1.5e-05"')],
  ])("[LS34] %s isn't a fault", (_what, change) => {
    const changed = change(GOOD);
    expect(changed).not.toBe(GOOD);
    expect(faultsIn(changed)).toEqual([]);
    expect(notesOn(changed)).toEqual([]);
  });
});

describe("other schemas", () => {
  const live12 = GOOD.replace("11.0_433", "12.0_12300")
    .replace('Value="2816"', 'Value="3075"')
    .replaceAll("MasterTrack>", "MainTrack>")
    .replaceAll("<VelocityDetail", "<SomethingElse");

  test("[LS34] have members that aren't judged, and says so", () => {
    const { schema, list } = checkLiveSet(parseXmlTree(live12));
    expect(schema).toEqual({ name: "12.0_12300", major: 12, isTables: false });
    expect([list.faults, list.notes]).toEqual([[], []]);
  });

  test.each<readonly [code: string, Change]>([
    ["SLOTS", swap('<ClipSlot Id="1">', '<Extra /><ClipSlot Id="1">')],
    ["LIST_ID_TWICE", swap('<Scene Id="1">', '<Scene Id="0">')],
    ["POINTEE_ZERO", (xml) => xml.replace(/(<Pointee Id=")\d+/, "$10")],
    ["CHOICE", swap('<WarpMode Value="4"', '<WarpMode Value="5"')],
    ["RANGE", swap('<Color Value="12"', '<Color Value="70"')],
    ["RANGE", (xml) => xml.replace(/(<AudioClip [^]*?<Color Value=")\d+/, "$170")],
    ["MARKERS_FALL", swap('BeatTime="8.03125"', 'BeatTime="7"')],
    ["MASTER", (xml) => xml.replaceAll("MainTrack>", "MasterTrack>")],
    ["TEMPO_DIFFERS", swap('Time="-63072000" Value="120"', 'Time="-63072000" Value="99"')],
  ])("[LS34] are judged by all other rules: %s", (code, change) => {
    expect(faultsIn(change(live12)).map((fault) => fault.code)).toContain(code);
  });

  test("[LS34] of Live 10 and older have scenes and tracks of another form", () => {
    const live10 = GOOD.replace("11.0_433", "10.0_377")
      .replace('Value="2816"', 'Value="2561"')
      .replace(/<Scenes>[^]*<\/Scenes>/, "")
      .replaceAll(/<Color .*\n/g, '<ColorIndex Value="151" />\n');
    expect(faultsIn(live10)).toEqual([]);
    expect(faultsIn(live10.replace(/(<Pointee Id=")\d+/, "$10"))).toHaveLength(1);
  });
});

describe("notes", () => {
  test.each<readonly [code: string, Change]>([
    ["CURRENT", swap('<CurrentEnd Value="8"', '<CurrentEnd Value="4"')],
    ["BEFORE_FILE", swap('SecTime="0" BeatTime="0"', 'SecTime="-1" BeatTime="0"')],
    ["BEHIND_FILE", (xml) => xml.replace('SecTime="4"', 'SecTime="4.01"')],
    ["METER_ONCE", (xml) => xml.replace(/<EnumEvent .*/, "")],
    ["NO_PATH", swap('<Path Value="/Sets/Loop.wav"', '<Path Value=""')],
    ["SLOT_ID", swap('<ClipSlot Id="1">', '<ClipSlot Id="4">')],
    ["RETURNS_LAST", swap("<Tracks>", '<Tracks><ReturnTrack Id="9" />')],
  ])("[LS21] %s says what Live does otherwise and accepts", (code, change) => {
    expect(notesOn(change(GOOD))).toEqual([code]);
  });

  test("[LS21] findings are listed once, and counted after a thousand", () => {
    const many = GOOD.replace("<Scenes>", `<Scenes>${"<Scene />".repeat(1500)}`);
    const { list } = checkLiveSet(parseXmlTree(many));
    expect(list.faults.length + list.notes.length).toBe(1000);
    expect(list.dropped).toBeGreaterThan(14_000);
    const twice = swap('<Color Value="12"', '<Color Value="70"')(GOOD);
    expect(faultsIn(twice)).toHaveLength(1);
  });

  test("[LS21] a path has the Id of each element that has one, and the line its element's", () => {
    const { root } = parseXmlTree(GOOD);
    const lines = GOOD.split("\n");
    for (const element of everyElement(root)) {
      expect(lines[element.line - 1]).toContain(`<${element.tag}`);
      if (element.parent !== null) expect(pathOf(element)).not.toContain("Ableton/");
    }
    const scene = [...everyElement(root)].find(({ tag }) => tag === "Scene");
    expect(scene && pathOf(scene)).toBe("LiveSet/Scenes/Scene[Id=0]");
  });

  test("[LS21] values of others are short and on one line in a sentence", () => {
    const long = GOOD.replace('WarpMode Value="4"', `WarpMode Value="${"9&#10;".repeat(500)}"`);
    const [finding] = faultsIn(long);
    expect(finding?.sentence.length).toBeLessThan(120);
    expect(finding?.sentence).not.toContain("\n");
  });
});
