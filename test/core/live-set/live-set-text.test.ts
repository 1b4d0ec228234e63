import { describe, expect, test } from "vitest";
import type { TrackPlan } from "../../../core/layout/layout.ts";
import { formatLiveSet } from "../../../core/live-set/format-live-set.ts";
import { notesOnSet, planLiveSet } from "../../../core/live-set/plan-live-set.ts";
import {
  childrenAt,
  descend,
  numberAt,
  type SetElement,
  valueAt,
} from "../../../core/live-set/set-element.ts";
import { VERSION } from "../../../core/version.ts";
import { GUESSED, layoutOf, LOOP, ONE_SHOT, UNUSABLE } from "../../contracts/host/host-contract.ts";
import { clipsIn, expectSound, madeSet, markersOf, packageOf } from "./made-set.ts";

/** The clip that one sound becomes. */
function clipOf(plan: TrackPlan, audio: Parameters<typeof packageOf>[1] = {}): SetElement {
  const [only] = clipsIn(madeSet(packageOf(layoutOf([plan]), audio)));
  if (only === undefined) throw new Error("It has no clip.");
  return only.clip;
}

/** The notes on one sound. */
function notesOn(plan: TrackPlan, audio: Parameters<typeof packageOf>[1] = {}) {
  const [notes] = notesOnSet([packageOf(layoutOf([plan]), audio)]);
  return notes?.get(plan.soundId);
}

test("[LS1] the header is that of Live 11.0, and names this program", () => {
  const text = formatLiveSet(planLiveSet([packageOf(layoutOf([LOOP]))]));
  expect(text.split("\n").slice(0, 4)).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<Ableton MajorVersion="5" MinorVersion="11.0_433" Creator="Soundferry ${VERSION}" Revision="">`,
    "\t<LiveSet>",
    expect.stringMatching(/^\t\t<NextPointeeId Value="\d+" \/>$/),
  ]);
  expect(text).toBe(formatLiveSet(planLiveSet([packageOf(layoutOf([LOOP]))])));
});

test("[LS2] a scene for each package, a track for each sound that can be used, a clip in its scene's slot", () => {
  const other = { ...layoutOf([ONE_SHOT]), scene: { name: "Other <&> (Looper)" } };
  const empty = layoutOf([UNUSABLE]);
  const set = madeSet(
    ...[layoutOf([LOOP, UNUSABLE, GUESSED]), empty, other].map((one) => packageOf(one)),
  );
  expectSound(set);
  const scenes = childrenAt(set, "LiveSet", "Scenes").map((scene) => valueAt(scene, "Name"));
  expect(scenes).toEqual(["Kit (Looper)", "Other <&> (Looper)"]);
  const placed = clipsIn(set).map(({ clip, track, scene }) => [
    valueAt(track, "Name", "UserName"),
    valueAt(track, "Color"),
    valueAt(clip, "Name"),
    valueAt(clip, "Color"),
    scene,
  ]);
  expect(placed).toEqual([
    ["Beat (Looper)", "5", "Beat", "5", 0],
    ["Pad (Looper)", "5", "Pad", "5", 0],
    ["Kick (Looper)", "5", "Kick", "5", 1],
  ]);
  expect(childrenAt(set, "LiveSet", "SendsPre")).toEqual([]);
});

test("[LS2] a number sign at a name's start is no place for the track's number", () => {
  const [only] = clipsIn(
    madeSet(packageOf(layoutOf([{ ...LOOP, trackName: "#1 #hit", clipName: "#1" }]))),
  );
  const name = valueAt(only?.track, "Name", "UserName");
  expect(name).toBe("\u200b#1 #hit");
  expect(valueAt(only?.track, "Name", "EffectiveName")).toBe(name);
  expect(valueAt(only?.clip, "Name")).toBe("#1");
});

describe("tempo and time signature", () => {
  const inSeven = {
    ...layoutOf([LOOP]),
    session: { tempoBpm: 93.5, timeSignature: [7, 8] as const },
  };

  test("[LS3] each stands twice: as a parameter, and as an event of its automation", () => {
    const set = madeSet(packageOf(inSeven));
    const master = descend(set, "LiveSet", "MasterTrack");
    const mixer = descend(master, "DeviceChain", "Mixer");
    const parameters = [
      ["TimeSignature", "303"],
      ["Tempo", "93.5"],
    ].map(([name = "", value]) => {
      expect(valueAt(mixer, name, "Manual")).toBe(value);
      return [descend(mixer, name, "AutomationTarget")?.attributes.get("Id"), value];
    });
    const automations = childrenAt(master, "AutomationEnvelopes", "Envelopes").map((envelope) => {
      const [event] = childrenAt(envelope, "Automation", "Events");
      expect(event?.attributes.get("Time")).toBe("-63072000");
      return [valueAt(envelope, "EnvelopeTarget", "PointeeId"), event?.attributes.get("Value")];
    });
    expect(automations).toEqual(parameters);
    const [{ clip } = { clip: set }] = clipsIn(set);
    const [change] = childrenAt(clip, "TimeSignature", "TimeSignatures");
    expect([numberAt(change, "Numerator"), numberAt(change, "Denominator")]).toEqual([7, 8]);
  });

  test.each([
    [[4, 4], 201, 0],
    [[1, 1], 0, 0],
    [[99, 16], 494, 0],
    [[100, 4], 201, 1],
    [[5, 7], 201, 1],
  ] as const)("[LS3] the meter %j is number %i, with %i notes", (timeSignature, code, notes) => {
    const one = packageOf({ ...inSeven, session: { tempoBpm: null, timeSignature } });
    const mixer = descend(madeSet(one), "LiveSet", "MasterTrack", "DeviceChain", "Mixer");
    expect(numberAt(mixer, "TimeSignature", "Manual")).toBe(code);
    const [said] = notesOnSet([one]);
    expect(said?.get(LOOP.soundId)).toHaveLength(notes);
  });
});

describe("a loop", () => {
  test("[LS4] is warped by three markers on one line, which are its own, and loops over its beats", () => {
    const clip = clipOf({
      ...LOOP,
      loopEndBeats: 8,
      tempoBpm: 123.456_789,
      warpMode: "complex_pro",
      gainDb: -6,
    });
    const perBeat = 60 / 123.456_789;
    const markers = markersOf(clip);
    expect(markers.map(({ beat }) => beat)).toEqual([0, 8, 8.031_25]);
    for (const { sec, beat } of markers) expect(sec).toBeCloseTo(beat * perBeat, 11);
    const loop = [
      "LoopStart",
      "LoopEnd",
      "StartRelative",
      "OutMarker",
      "HiddenLoopStart",
      "HiddenLoopEnd",
    ];
    expect(loop.map((name) => numberAt(clip, "Loop", name))).toEqual([0, 8, 0, 8, 0, 8]);
    expect([numberAt(clip, "CurrentStart"), numberAt(clip, "CurrentEnd")]).toEqual([0, 8]);
    expect(["IsWarped", "MarkersGenerated"].map((name) => valueAt(clip, name))).toEqual([
      "true",
      "false",
    ]);
    expect(valueAt(clip, "Loop", "LoopOn")).toBe("true");
    expect(numberAt(clip, "WarpMode")).toBe(6);
    expect(numberAt(clip, "SampleVolume")).toBeCloseTo(0.501_187_233_6, 9);
  });

  test("[LS4] longer than its file has its markers in the file", () => {
    const clip = clipOf({ ...LOOP, loopEndBeats: 32, tempoBpm: 120 });
    expect(markersOf(clip).map(({ sec }) => sec)).toEqual([0, 5, 5.015_625]);
    expect(markersOf(clip).map(({ beat }) => beat)).toEqual([0, 10, 10.031_25]);
    expect(numberAt(clip, "Loop", "LoopEnd")).toBe(32);
  });

  test("[LS5] with a length alone fills the file, and a note says so", () => {
    const plan = { ...LOOP, tempoBpm: null, loopEndBeats: 1 };
    expect(markersOf(clipOf(plan)).map(({ sec, beat }) => [sec, beat])).toEqual([
      [0, 0],
      [5, 1],
      [5.156_25, 1.031_25],
    ]);
    expect(notesOn(plan)).toEqual([
      "A Set file can't leave the tempo to be guessed: the file is warped to fill 1 beat.",
    ]);
  });

  test.each([
    ["without tempo and length", GUESSED, 10],
    ["too long for any tempo", { ...LOOP, tempoBpm: null, loopEndBeats: 0.4 }, 0.4],
    ["too short for any tempo", { ...LOOP, tempoBpm: null, loopEndBeats: 84 }, 84],
  ] as const)("[LS5] %s has the Set's tempo, and a note says so", (_, plan, endBeats) => {
    const clip = clipOf(plan);
    expect(markersOf(clip)[1]).toEqual({
      sec: Math.min(5, endBeats / 2),
      beat: Math.min(10, endBeats),
    });
    expect(numberAt(clip, "Loop", "LoopEnd")).toBe(endBeats);
    expect(valueAt(clip, "Loop", "LoopOn")).toBe("true");
    expect(notesOn(plan)).toEqual([
      "A Set file can't leave the tempo to be guessed: the clip has the Set's tempo.",
    ]);
  });
});

test("[LS6] a one-shot is unwarped: its positions are in seconds, its length in the Set's beats", () => {
  const clip = clipOf(ONE_SHOT, { frames: 50_000 });
  const seconds = 50_000 / 48_000;
  expect(valueAt(clip, "IsWarped")).toBe("false");
  expect(valueAt(clip, "Loop", "LoopOn")).toBe("false");
  expect(["LoopStart", "LoopEnd", "OutMarker"].map((name) => numberAt(clip, "Loop", name))).toEqual(
    [0, seconds, seconds],
  );
  expect(numberAt(clip, "CurrentEnd")).toBeCloseTo(seconds * 2, 12);
});

test("[LS7] a file has its paths, its size, its checksum, its length and its time", () => {
  const clip = clipOf(LOOP);
  const sample = descend(clip, "SampleRef");
  const values = (of: SetElement | undefined) =>
    Object.fromEntries(
      (of?.children ?? []).map((child) => [child.tag, child.attributes.get("Value")]),
    );
  expect(values(descend(sample, "FileRef"))).toEqual({
    RelativePathType: "1",
    RelativePath: "../Beat.wav",
    Path: "/sounds/Kit/Beat.wav",
    Type: "2",
    LivePackName: "",
    LivePackId: "",
    OriginalFileSize: "240044",
    OriginalCrc: "4711",
  });
  expect(values(sample)).toMatchObject({
    LastModDate: "1700000000",
    DefaultDuration: "240000",
    DefaultSampleRate: "48000",
  });
});

test("[LS1] numbers have no exponent, and no character breaks the text", () => {
  const name = 'a\u0001\ud800"<&>\u0085';
  const clip = clipOf(
    { ...ONE_SHOT, clipName: name, gainDb: -70 },
    { frames: 1, sampleRateHz: 4_000_000 },
  );
  expect(valueAt(clip, "Loop", "LoopEnd")).toBe("0.00000025");
  expect(valueAt(clip, "Name")).toBe('a\ufffd\ufffd"<&>\u0085');
});
