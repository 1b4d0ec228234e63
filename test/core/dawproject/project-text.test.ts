import { expect, test } from "vitest";
import { planProject } from "../../../core/dawproject/plan-project.ts";
import { formatMetadata, formatProject } from "../../../core/dawproject/format-project.ts";
import { parseXml } from "../../../addon/hosts/parse-xml.ts";
import type { Layout, TrackPlan } from "../../../core/layout/layout.ts";
import { GUESSED, layoutOf, LOOP, ONE_SHOT, UNUSABLE } from "../../contracts/host/host-contract.ts";
import { type Element, elements } from "../../addon/hosts/dawproject/open-dawproject.ts";

/** The audio of each sound, which lasts 5 seconds: 14.5 beats at the loop's 174 BPM. */
const SECONDS = 5;

interface PrintedOptions {
  readonly withArrangement?: boolean;
  readonly seconds?: number;
}

function printed(
  layouts: readonly Layout[],
  { withArrangement = false, seconds }: PrintedOptions = {},
) {
  const packages = layouts.map((layout) => {
    const sounds = layout.tracks.filter((track) => !("error" in track));
    const audio = new Map(
      sounds.map(({ soundId }) => [
        soundId,
        {
          path: `audio/${soundId}.wav`,
          durationSeconds: seconds ?? SECONDS,
          sampleRateHz: 8000,
          channels: 1,
        },
      ]),
    );
    return { layout, audio };
  });
  const text = formatProject(planProject(packages, { title: "Kit", withArrangement }));
  const [project] = elements(parseXml(text), "Project");
  if (project === undefined) throw new Error("It has no project.");
  return { text, project };
}

/** The clip in the one slot of the one scene. */
function slotClip(track: TrackPlan, options?: PrintedOptions): Element {
  const { project } = printed([layoutOf([track])], options);
  const [clip] = elements(project, "Scenes", "Scene", "Lanes", "ClipSlot", "Clip");
  if (clip === undefined) throw new Error("It has no clip.");
  return clip;
}

test("[D1] a scene for each package, a track and a slot for each sound that can be used", () => {
  const other = { ...layoutOf([ONE_SHOT]), scene: { name: "Other (Looper)" } };
  const { project } = printed([layoutOf([LOOP, UNUSABLE, ONE_SHOT]), other]);
  const scenes = elements(project, "Scenes", "Scene");
  expect(scenes.map((scene) => scene["@name"])).toEqual(["Kit (Looper)", "Other (Looper)"]);
  const tracks = elements(project, "Structure", "Track");
  expect(tracks.map((track) => [track["@name"], track["@color"], track["@contentType"]])).toEqual([
    ["Beat (Looper)", "#1aff2f", "audio"],
    ["Kick (Looper)", "#1aff2f", "audio"],
    ["Kick (Looper)", "#1aff2f", "audio"],
    ["Master", undefined, "audio"],
  ]);
  const ids = tracks.map((track) => track["@id"]);
  const slots = scenes.map((scene) => elements(scene, "Lanes", "ClipSlot"));
  expect(slots.map((each) => each.map((slot) => slot["@track"]))).toEqual([
    [ids[0], ids[1]],
    [ids[2]],
  ]);
  const [clip] = elements(slots[0]?.[0] ?? {}, "Clip");
  expect(clip).toMatchObject({ "@name": "Beat", "@color": "#1aff2f", "@time": "0" });
});

test("[D1] every channel goes to the master's", () => {
  const { project } = printed([layoutOf([LOOP, ONE_SHOT])]);
  const channels = elements(project, "Structure", "Track", "Channel");
  const master = channels.at(-1);
  expect(master).toMatchObject({ "@role": "master" });
  expect(channels.slice(0, -1).map((channel) => channel["@destination"])).toEqual([
    master?.["@id"],
    master?.["@id"],
  ]);
});

test("[D1] a package without a sound that can be used makes no scene", () => {
  const { project } = printed([layoutOf([UNUSABLE]), layoutOf([LOOP])]);
  expect(elements(project, "Scenes", "Scene")).toHaveLength(1);
});

/** The one event that the clip in the slot consists of. */
function slotEvent(track: TrackPlan, options?: PrintedOptions): Element {
  const events = elements(slotClip(track, options), "Clips", "Clip");
  expect(events).toHaveLength(1);
  return events[0] ?? {};
}

test("[D2] every clip is one of events, with a single event that begins with it", () => {
  const { project } = printed([layoutOf([LOOP, ONE_SHOT, GUESSED])], { withArrangement: true });
  const clips = [
    ...elements(project, "Scenes", "Scene", "Lanes", "ClipSlot", "Clip"),
    ...elements(project, "Arrangement", "Lanes", "Lanes", "Clips", "Clip"),
  ];
  expect(clips.length).toBeGreaterThan(5);
  for (const clip of clips) {
    expect(clip).toMatchObject({ "@contentTimeUnit": "beats", "@playStart": "0" });
    const events = elements(clip, "Clips", "Clip");
    expect(events).toEqual([expect.objectContaining({ "@time": "0", "@name": clip["@name"] })]);
    for (const event of events) expect(event).not.toHaveProperty("@loopEnd");
  }
});

test("[D2] a loop is warped from its file's first sample to its last, and loops over its beats", () => {
  const clip = slotClip(LOOP);
  expect(clip).toMatchObject({ "@duration": "16", "@loopStart": "0", "@loopEnd": "16" });
  const event = slotEvent(LOOP);
  expect(event).toMatchObject({ "@contentTimeUnit": "beats" });
  const [warps = {}] = elements(event, "Warps");
  expect(warps).toMatchObject({ "@contentTimeUnit": "seconds", "@timeUnit": "beats" });
  expect(elements(warps, "Warp")).toEqual([
    { "@time": "0", "@contentTime": "0" },
    { "@time": "14.5", "@contentTime": "5" },
  ]);
  expect(elements(warps, "Audio")[0]).toMatchObject({ "@algorithm": "beats", "@duration": "5" });
});

test("[D2] the event lasts as long as the longer one, the loop or its file", () => {
  const lastsBeats = (loopEndBeats: number) => slotEvent({ ...LOOP, loopEndBeats })["@duration"];
  expect(lastsBeats(16)).toBe("16");
  expect(lastsBeats(8)).toBe("14.5");
});

test("[D2] a one-shot plays once at the speed of its file", () => {
  const clip = slotClip(ONE_SHOT);
  expect(clip).toMatchObject({ "@duration": "10" });
  expect(clip).not.toHaveProperty("@loopEnd");
  const event = slotEvent(ONE_SHOT);
  expect(event).toMatchObject({ "@contentTimeUnit": "seconds", "@duration": "10" });
  expect(event).not.toHaveProperty("Warps");
  expect(elements(event, "Audio")[0]).toMatchObject({ "@algorithm": "raw" });
});

test("[D3] a loop of a known length whose tempo nobody knows fills its beats", () => {
  const track = { ...LOOP, tempoBpm: null };
  const warps = elements(slotEvent(track), "Warps", "Warp");
  expect(warps.at(-1)).toEqual({ "@time": "16", "@contentTime": "5" });
  expect(slotClip(track)).toMatchObject({ "@loopEnd": "16" });
});

test("[D3] a loop of which nothing is known goes round over its file, not warped", () => {
  expect(slotClip(GUESSED)).toMatchObject({ "@loopEnd": "10", "@duration": "10" });
  const event = slotEvent(GUESSED);
  expect(event).toMatchObject({ "@contentTimeUnit": "seconds", "@duration": "10" });
  expect(event).not.toHaveProperty("Warps");
});

test("[D4] the gain is the track's volume, and within its range", () => {
  const loud = { ...LOOP, gainDb: 20 };
  const { project } = printed([layoutOf([LOOP, loud, { ...LOOP, gainDb: -70 }])]);
  const volumes = elements(project, "Structure", "Track", "Channel", "Volume");
  const values = volumes.map((volume) => [Number(volume["@value"]), Number(volume["@max"])]);
  expect(values.map(([value]) => value?.toFixed(6))).toEqual([
    "0.707946",
    "10.000000",
    "0.000316",
    "1.000000",
  ]);
  for (const [value = Number.NaN, max] of values) expect(value).toBeLessThanOrEqual(max ?? 0);
});

test("[D5] the tempo is the first package's own, else the one most loops have, else 120", () => {
  const tempoOf = (...layouts: readonly Layout[]) =>
    elements(printed(layouts).project, "Transport", "Tempo")[0]?.["@value"];
  const own = (tempoBpm: number | null) => ({
    ...layoutOf([LOOP]),
    session: { tempoBpm, timeSignature: null },
  });
  const at = (tempoBpm: number, soundId: string) => ({ ...LOOP, tempoBpm, soundId });
  expect(tempoOf(own(null), own(95.5), own(96))).toBe("95.5");
  expect(tempoOf(layoutOf([at(90, "a"), at(126, "b")]), layoutOf([at(126, "c")]))).toBe("126");
  expect(tempoOf(layoutOf([at(90, "a"), at(126, "b")]))).toBe("90");
  expect(tempoOf(layoutOf([ONE_SHOT, GUESSED]))).toBe("120");
});

test("[D5] the time signature is the first package's, else 4/4", () => {
  const waltz = {
    ...layoutOf([LOOP]),
    session: { tempoBpm: null, timeSignature: [3, 4] as const },
  };
  const signatureOf = (...layouts: readonly Layout[]) =>
    elements(printed(layouts).project, "Transport", "TimeSignature")[0];
  expect(signatureOf(waltz)).toMatchObject({ "@numerator": "3", "@denominator": "4" });
  expect(signatureOf(layoutOf([LOOP]))).toMatchObject({ "@numerator": "4", "@denominator": "4" });
});

test("[D6] the timeline is empty unless it is asked for", () => {
  const { project } = printed([layoutOf([LOOP])]);
  const [lanes] = elements(project, "Arrangement", "Lanes");
  expect(lanes).toMatchObject({ "@timeUnit": "beats" });
  expect(elements(project, "Arrangement", "Lanes", "Lanes")).toEqual([]);
  expect(elements(project, "Arrangement", "Markers")).toEqual([]);
});

/** Returns the starts and lengths of each lane's clips. */
function laidOut(layouts: readonly Layout[], options?: PrintedOptions) {
  const { project } = printed(layouts, { ...options, withArrangement: true });
  const markers = elements(project, "Arrangement", "Markers", "Marker");
  return {
    lanes: elements(project, "Arrangement", "Lanes", "Lanes").map((lane) =>
      elements(lane, "Clips", "Clip").map((clip) => [
        Number(clip["@time"]),
        Number(clip["@duration"]),
      ]),
    ),
    markers: markers.map((marker) => [marker["@name"], Number(marker["@time"])]),
    loops: elements(project, "Arrangement", "Lanes", "Lanes", "Clips", "Clip").map(
      (clip) => clip["@loopEnd"],
    ),
  };
}

test("[D6] a section for each scene, in which loops follow themselves and one-shots play once", () => {
  const short = { ...LOOP, loopEndBeats: 6 };
  const other = { ...layoutOf([LOOP]), scene: { name: "Other" } };
  // 5 seconds are 14.5 beats at 174 BPM.
  const { lanes, markers, loops } = laidOut([layoutOf([short, ONE_SHOT]), other]);
  expect(markers).toEqual([
    ["Kit (Looper)", 0],
    ["Other", 16],
  ]);
  expect(lanes).toEqual([
    [
      [0, 6],
      [6, 6],
      [12, 4],
    ],
    [[0, 14.5]],
    [[16, 16]],
  ]);
  expect(loops.every((loopEnd) => loopEnd === undefined)).toBe(true);
});

test("[D6] a section lasts whole bars, four at least, and as long as its longest sound", () => {
  const ends = (layout: Layout, options?: PrintedOptions) => {
    const next = { ...layoutOf([LOOP]), scene: { name: "Next" } };
    return laidOut([layout, next], options).markers[1]?.[1];
  };
  const loop = (loopEndBeats: number) => layoutOf([{ ...LOOP, loopEndBeats }]);
  expect(ends(loop(1))).toBe(16);
  expect(ends(loop(17))).toBe(20);
  expect(ends(layoutOf([ONE_SHOT]), { seconds: 60 })).toBe(176);
  const inFive = { tempoBpm: null, timeSignature: [5, 8] as const };
  expect(ends({ ...loop(1), session: inFive })).toBe(10);
});

test("[D6] a loop so short that it would come hundreds of times is one looping clip", () => {
  const { lanes, loops } = laidOut([layoutOf([{ ...LOOP, loopEndBeats: 0.001 }])]);
  expect(lanes).toEqual([[[0, 16]]]);
  expect(loops).toEqual(["0.001"]);
});

function named(soundId: string, name: string): TrackPlan {
  return { ...LOOP, soundId, trackName: name, clipName: name };
}

test("[D9] names of any kind stay what they are, or become what XML can hold", async () => {
  const names = [
    "<&\"'>",
    "]]><!--",
    "&amp;&#0;",
    "\u0000\u001B\uFFFF\uD800",
    "Grüße 你好 🎛",
    "true",
  ];
  const tracks = names.map((name, index) => named(`s${index}`, name));
  const { project } = printed([{ ...layoutOf(tracks), scene: { name: "</Scene>" } }]);
  const held = elements(project, "Structure", "Track").map((track) => track["@name"]);
  expect(held).toEqual([...names.with(3, "\uFFFD\uFFFD\uFFFD\uFFFD"), "Master"]);
  expect(elements(project, "Scenes", "Scene")[0]?.["@name"]).toBe("</Scene>");
});

test("[D9] the title of the metadata is escaped", () => {
  const project = planProject([], { title: "A <b> & \u0001", withArrangement: false });
  const text = formatMetadata(project);
  expect(text).toContain("<Title>A &lt;b&gt; &amp; \uFFFD</Title>");
  expect(text).toContain("<Comment>Made by Soundferry ");
});
