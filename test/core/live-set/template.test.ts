import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkLiveSet } from "../../../core/live-set/check/check-live-set.ts";
import { formatLiveSet } from "../../../core/live-set/format-live-set.ts";
import { makeLiveSet } from "../../../core/live-set/make-live-set.ts";
import { planLiveSet } from "../../../core/live-set/plan-live-set.ts";
import { readTemplate, TemplateError } from "../../../core/live-set/read-template.ts";
import {
  childrenAt,
  descend,
  everyElement,
  numberAt,
  type SetElement,
  valueAt,
} from "../../../core/live-set/set-element.ts";
import { parseXmlTree } from "../../../core/live-set/xml-tree.ts";
import { layoutOf, LOOP, ONE_SHOT } from "../../contracts/host/host-contract.ts";
import { runs } from "../../runner/random-seed.ts";
import { clipsIn, expectSound, packageOf } from "./made-set.ts";

/** The text of a Set that somebody works with: a mixer that is set, a mapped key, a device for which it has a number. */
const USED = formatLiveSet(planLiveSet([packageOf(layoutOf([LOOP, ONE_SHOT]))]))
  .replace('<Name Value="Kit (Looper)" />', '<Name Value="Intro" />\n\t\t\t\t<Future Value="9" />')
  .replaceAll(
    '<ViewStateSesstionTrackWidth Value="93" />',
    '<ViewStateSessionTrackWidth Value="17" />',
  )
  .replace(
    /(<Volume>\s*)<LomId Value="0" \/>(\s*)<Manual Value="1" \/>/,
    '$1<LomId Value="8" />$2<KeyMidi><Channel Value="1" /></KeyMidi><Manual Value="0.3" />',
  )
  .replace('<FollowActionEnabled Value="false" />', '<FollowActionEnabled Value="true" />')
  .replaceAll('<IsSongTempoMaster Value="false" />', '<IsSongTempoLeader Value="true" />')
  .replaceAll("<Devices />", '<Devices>\n<Limiter Id="3" />\n</Devices>')
  .replace("<SendsPre />", '<SendsPre><SendPreBool Id="0" Value="true" /></SendsPre>')
  .replace("<MasterTrack>", "<MainTrack>")
  .replace("</MasterTrack>", "</MainTrack>")
  .replaceAll("AudioOut/Master", "AudioOut/Main")
  .replace(
    'MinorVersion="11.0_433" Creator="Soundferry',
    'MinorVersion="12.0_12300" SchemaChangeCount="1" Creator="Live',
  );

/** The document of two packages in the shape of a template. */
function shaped(template: string): SetElement {
  const other = { ...layoutOf([ONE_SHOT]), scene: { name: "Second" } };
  const plan = planLiveSet([packageOf(layoutOf([LOOP])), packageOf(other)]);
  return parseXmlTree(formatLiveSet(plan, readTemplate(parseXmlTree(template).root))).root;
}

test("[LS12] header, order and unknown members are the template's; tracks, scenes, returns and clips are not", () => {
  const set = shaped(USED);
  expect(Object.fromEntries(set.attributes)).toMatchObject({
    MinorVersion: "12.0_12300",
    SchemaChangeCount: "1",
    Creator: expect.stringMatching(/^Soundferry /),
  });
  expect(childrenAt(set, "LiveSet", "SendsPre")).toEqual([]);
  const scenes = childrenAt(set, "LiveSet", "Scenes");
  expect(scenes.map((scene) => [valueAt(scene, "Name"), valueAt(scene, "Future")])).toEqual([
    ["Kit (Looper)", "9"],
    ["Second", "9"],
  ]);
  const clips = clipsIn(set);
  expect(clips.map(({ clip }) => valueAt(clip, "Name"))).toEqual(["Beat", "Kick"]);
  for (const { clip, track } of clips) {
    expect(clip.children.at(-1)).toMatchObject({ tag: "IsSongTempoLeader" });
    expect(valueAt(clip, "FollowAction", "FollowActionEnabled")).toBe("false");
    const mixer = descend(track, "DeviceChain", "Mixer");
    expect(valueAt(mixer, "ViewStateSessionTrackWidth")).toBe("17");
    expect(descend(mixer, "Volume")?.children.map(({ tag }) => tag)).not.toContain("KeyMidi");
    expect([numberAt(mixer, "Volume", "Manual"), numberAt(mixer, "Volume", "LomId")]).toEqual([
      1, 0,
    ]);
    expect(childrenAt(track, "DeviceChain", "DeviceChain", "Devices")).toEqual([]);
    expect(valueAt(track, "DeviceChain", "AudioOutputRouting", "Target")).toBe("AudioOut/Main");
  }
  expectSound(set);
});

test("[LS12] tempo and meter are the package's, in the master of the template, which keeps its devices", () => {
  const set = shaped(USED);
  const main = descend(set, "LiveSet", "MainTrack");
  expect(valueAt(main, "DeviceChain", "Mixer", "Tempo", "Manual")).toBe("174");
  const envelopes = childrenAt(main, "AutomationEnvelopes", "Envelopes");
  const events = envelopes.map((one) =>
    childrenAt(one, "Automation", "Events")[0]?.attributes.get("Value"),
  );
  expect(events).toEqual(["201", "174"]);
  expect(childrenAt(main, "DeviceChain", "DeviceChain", "Devices")).toHaveLength(1);
});

test("[LS12] a master with a slot for each scene has one for each of the new ones", () => {
  const slot = '<ClipSlot Id="0"><LomId Value="0" /><ClipSlot><Value /></ClipSlot></ClipSlot>';
  const [before = "", after = ""] = USED.split("<AudioSequencer");
  const withSlots = `${before}<AudioSequencer${after.replace("<ClipSlotList />", `<ClipSlotList>${slot}</ClipSlotList>`)}`;
  const [sequencer] = childrenAt(
    shaped(withSlots),
    "LiveSet",
    "MainTrack",
    "DeviceChain",
    "FreezeSequencer",
  );
  const slots = childrenAt(sequencer, "ClipSlotList");
  expect(slots.map(({ attributes }) => attributes.get("Id"))).toEqual(["0", "1"]);
});

test("[LS12] an empty Set of the table's schema is enough, and the result has no findings", () => {
  const own = formatLiveSet(planLiveSet([packageOf(layoutOf([LOOP]))]));
  const empty = own
    .replace(/<Tracks>[^]*<\/Tracks>/, "<Tracks />")
    .replace(/<Scenes>[^]*<\/Scenes>/, "<Scenes />");
  const set = shaped(empty);
  const { list } = checkLiveSet(
    parseXmlTree(
      formatLiveSet(
        planLiveSet([packageOf(layoutOf([LOOP, ONE_SHOT]))]),
        readTemplate(parseXmlTree(empty).root),
      ),
    ),
  );
  expect([...list.faults, ...list.notes]).toEqual([]);
  expect(clipsIn(set)).toHaveLength(2);
});

/** A tree without the element at a place in document order. */
function without(root: SetElement, place: number): SetElement {
  let at = 0;
  const visit = (element: SetElement): SetElement => ({
    ...element,
    children: element.children.flatMap((child) => ((at += 1) === place ? [] : [visit(child)])),
  });
  return visit(root);
}

test("[LS12] a template that lacks anything is refused with a sentence, or its Set has sound ids and slots", () => {
  const { root } = parseXmlTree(USED);
  const count = [...everyElement(root)].length;
  const plan = planLiveSet([packageOf(layoutOf([LOOP, ONE_SHOT]))]);
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: count }), { minLength: 1, maxLength: 3 }),
      (places) => {
        const damaged = places.reduce(without, root);
        try {
          expectSound(makeLiveSet(plan, readTemplate(damaged)));
        } catch (error) {
          if (!(error instanceof TemplateError)) throw error;
          expect(error.message).toMatch(/^(The|A) [^]+\.$/);
        }
      },
    ),
    runs(80),
  );
});

describe("a template that can't be used is refused", () => {
  test("[LS12] a Set of the table's schema that lacks a member, or has one that the table doesn't know", () => {
    const own = formatLiveSet(planLiveSet([packageOf(layoutOf([LOOP]))]));
    for (const text of [
      own.replace(/<CrossfadeCurve [^>]*>/, ""),
      own.replace("<CrossfadeCurve", '<Future Value="1" />$&'),
    ]) {
      expect(() => readTemplate(parseXmlTree(text).root)).toThrow(
        /^The template isn't as Live saves a Set, at LiveSet/,
      );
    }
  });

  const clip = /<AudioClip [^]*?<\/AudioClip>/g;
  test.each([
    ["another document", USED.replaceAll("Ableton", "Other"), "The template isn't a Live Set."],
    [
      "a version of another form",
      USED.replace("12.0_12300", "12.0.12300"),
      "The template isn't a Live Set.",
    ],
    [
      "Live 10",
      USED.replace("12.0_12300", "10.0_377"),
      "The template is of an older Live. Save it in Live 11 or later.",
    ],
    [
      "no clip of another schema",
      USED.replaceAll(clip, ""),
      "The template needs an audio track with a sound in a slot. Add one and save it.",
    ],
    [
      "no track of another schema",
      USED.replace(/<Tracks>[^]*<\/Tracks>/, "<Tracks />"),
      "The template needs an audio track with a sound in a slot. Add one and save it.",
    ],
    [
      "a clip without a gain",
      USED.replaceAll(/<SampleVolume[^>]*>/g, ""),
      "The template's AudioClip has no SampleVolume.",
    ],
    [
      "a Set without scenes at all",
      USED.replace(/<Scenes>[^]*<\/Scenes>/, ""),
      "The template's LiveSet has no Scenes.",
    ],
    [
      "an automation of nothing",
      USED.replace(/<PointeeId Value="\d+" \/>/, '<PointeeId Value="99999" />'),
      "The template isn't as Live saves a Set, at LiveSet/MainTrack/AutomationEnvelopes/",
    ],
    [
      "a device that listens to a track",
      USED.replaceAll(
        '<Limiter Id="3" />',
        '<Limiter Id="3"><Target Value="AudioIn/Track.3/PostFxOut" /></Limiter>',
      ),
      "A device on the template's master uses a track. Remove it and save the Set.",
    ],
  ])("[LS12] %s", (_, text, sentence) => {
    expect(text).not.toBe(USED);
    expect(() => readTemplate(parseXmlTree(text).root)).toThrow(TemplateError);
    expect(() => readTemplate(parseXmlTree(text).root)).toThrow(sentence);
  });
});
