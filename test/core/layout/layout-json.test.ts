import { expect, test, describe } from "vitest";
import { WARP_MODE_KEYS } from "../../../core/manifest/manifest.ts";
import { layoutJson, trackJson } from "../../../core/layout/layout-json.ts";
import { planLayout } from "../../../core/layout/plan-layout.ts";
import { sampleHeader, samplePackage, sampleSound } from "./sample-package.ts";
import { NoLayoutError, parseLayoutJson } from "../../../core/layout/parse-layout-json.ts";

test("layout JSON has every setting by its public name", () => {
  const items = [
    sampleSound({ kind: "loop", role: "drums", bpm: 120, color: "#FF3636", gain_db: 1.5 }),
    sampleSound({ id: "2", name: "Clap" }),
    sampleSound({ id: "3", name: "Lost" }),
  ];
  const sounds = new Map([
    ["1", sampleHeader(96_000)],
    ["2", sampleHeader(96_000)],
  ]);
  const warnings = [{ code: "MIDI_IGNORED", message: "MIDI is not imported yet." }];
  const json = layoutJson(planLayout({ ...samplePackage(items), sounds, warnings }));
  expect(json).toEqual({
    scene: { name: "Night Drive (Looper)" },
    tracks: [
      {
        id: "1",
        track: "Kick (Looper)",
        clip: "Kick",
        kind: "loop",
        warping: true,
        warp_mode: "beats",
        looping: true,
        loop_beats: 4,
        tempo_bpm: 120,
        color_index: 14,
        gain_db: 1.5,
        notes: [],
      },
      {
        id: "2",
        track: "Clap (Looper)",
        clip: "Clap",
        kind: "oneshot",
        warping: false,
        warp_mode: null,
        looping: false,
        loop_beats: null,
        tempo_bpm: null,
        color_index: 10,
        gain_db: 0,
        notes: [],
      },
      {
        id: "3",
        track: "Lost (Looper)",
        clip: "Lost",
        kind: "oneshot",
        error: "kick.wav is not there.",
      },
    ],
    warnings,
  });
});

test("beats and tempo are rounded to 6 decimals only in JSON", () => {
  const items = [sampleSound({ kind: "loop", length_beats: 3.5 })];
  const sounds = new Map([["1", sampleHeader(100_000)]]);
  const layout = planLayout({ ...samplePackage(items), sounds });
  expect(layout.tracks).toMatchObject([{ tempoBpm: 100.8 }]);

  const [sound] = planLayout({
    ...samplePackage(items),
    sounds: new Map([["1", sampleHeader(99_991)]]),
  }).tracks;
  expect(sound).toMatchObject({ tempoBpm: (3.5 * 60 * 48_000) / 99_991 });
  expect(sound && trackJson(sound)).toMatchObject({ loop_beats: 3.5, tempo_bpm: 100.809073 });
});

const HIT = {
  id: "hit",
  track: "Hit (App)",
  clip: "Hit",
  kind: "oneshot",
  warping: false,
  warp_mode: null,
  looping: false,
  loop_beats: null,
  tempo_bpm: null,
  color_index: 10,
  gain_db: -3,
  notes: ["A note."],
};
const LOST = { id: "lost", track: "Lost (App)", clip: "Lost", kind: "loop", error: "Not there." };
const LAYOUT = {
  scene: { name: "Night (App)" },
  tracks: [HIT, { ...HIT, id: "loop", kind: "loop", warp_mode: "beats", loop_beats: 3.5 }, LOST],
  warnings: [
    { code: "CUT", message: "It was cut." },
    { code: "CUT", message: "So was this.", sound: "hit", field: "name" },
  ],
};

test("[B2] reads a stored layout unchanged", () => {
  expect(parseLayoutJson(LAYOUT)).toStrictEqual(LAYOUT);
});

test("[B2] drops unknown members", () => {
  const more = (one: object) => ({ ...one, mood: [["dark"]] });
  const { scene, tracks, warnings } = LAYOUT;
  const wordy = {
    scene: more(scene),
    tracks: tracks.map((track) => ("error" in track ? more(track) : more({ ...track, error: 1 }))),
    warnings: warnings.map(more),
  };
  expect(parseLayoutJson(more(wordy))).toEqual(LAYOUT);
});

test("[B2] a loop's tempo and length are numbers, or null if the host guesses", () => {
  for (const loop_beats of [0.25, null]) {
    const tracks = [{ ...HIT, kind: "loop", loop_beats, tempo_bpm: loop_beats }];
    expect(parseLayoutJson({ ...LAYOUT, tracks }).tracks).toEqual(tracks);
  }
});

test.each(WARP_MODE_KEYS)("[B2] reads every warp mode: %s", (warp_mode) => {
  const tracks = [{ ...HIT, warp_mode }];
  expect(parseLayoutJson({ ...LAYOUT, tracks }).tracks).toEqual(tracks);
});

describe("[B2] an invalid layout is located in one sentence", () => {
  const sentenceOf = (value: unknown): string => {
    try {
      parseLayoutJson(value);
    } catch (error) {
      if (error instanceof NoLayoutError) return `${error.name}: ${error.message}`;
    }
    return "none";
  };
  const wrong = (where: string) => `NoLayoutError: This is not a layout: ${where} is invalid.`;
  const withoutMember = (value: object, name: string) =>
    Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));

  test.each(Object.keys(HIT))("every setting of a track is required and typed: %s", (name) => {
    expect(sentenceOf(withTrack({ ...HIT, id: "x", [name]: [{}] }))).toBe(
      wrong(name === "notes" ? "tracks/1/notes/0" : `tracks/1/${name}`),
    );
    expect(sentenceOf(withTrack(withoutMember(HIT, name)))).toBe(wrong("tracks/1"));
  });

  test.each(Object.keys(LOST))("every member of an unusable sound is required: %s", (name) => {
    expect(sentenceOf(withTrack({ ...LOST, [name]: 7 }))).toBe(wrong(`tracks/1/${name}`));
    if (name === "error") return;
    expect(sentenceOf(withTrack(withoutMember(LOST, name)))).toBe(wrong("tracks/1"));
  });

  test.each(["scene", "tracks", "warnings"])("each part of the layout is required: %s", (name) => {
    expect(sentenceOf({ ...LAYOUT, [name]: 7 })).toBe(wrong(name));
    expect(sentenceOf(withoutMember(LAYOUT, name))).toBe("NoLayoutError: This is not a layout.");
  });

  test("a negative color, a nameless scene and a broken eleventh track are found", () => {
    expect(sentenceOf(withTrack({ ...HIT, color_index: -1 }))).toBe(wrong("tracks/1/color_index"));
    expect(sentenceOf({ ...LAYOUT, scene: {} })).toBe(wrong("scene"));
    const tracks = Array.from({ length: 12 }, (_, index) => ({ ...HIT, id: String(index) }));
    const broken = tracks.with(10, { ...HIT, gain_db: Number("x"), clip: 4 as unknown as string });
    expect(sentenceOf({ ...LAYOUT, tracks: broken })).toBe(wrong("tracks/10/clip"));
    expect(sentenceOf(null)).toBe("NoLayoutError: This is not a layout.");
  });

  test("names a duplicate track id", () => {
    expect(sentenceOf(withTrack(HIT))).toBe(
      'NoLayoutError: This is not a layout: two tracks have the id "hit".',
    );
  });
});

test.each<[sentence: string, value: unknown]>([
  ["This is not a layout.", [LAYOUT]],
  ["This is not a layout: scene/name is invalid", { ...LAYOUT, scene: { name: 3 } }],
  ["This is not a layout: tracks is invalid", { ...LAYOUT, tracks: { hit: HIT } }],
  ["This is not a layout: tracks/0 is invalid", { ...LAYOUT, tracks: ["hit"] }],
  ["This is not a layout: tracks/1/warp_mode is invalid", withTrack({ ...HIT, warp_mode: "slow" })],
  ["This is not a layout: tracks/1/kind is invalid", withTrack({ ...LOST, kind: "riser" })],
  [
    "This is not a layout: tracks/1/color_index is invalid",
    withTrack({ ...HIT, color_index: 1.5 }),
  ],
  [
    "This is not a layout: tracks/1 is invalid",
    withTrack({ ...HIT, id: "x", error: "And unusable." }),
  ],
  ["This is not a layout: warnings/0 is invalid", { ...LAYOUT, warnings: [{ code: "CUT" }] }],
])("[B2] what is no layout is refused: %s", (sentence, value) => {
  const parse = () => parseLayoutJson(value);
  expect(parse).toThrow(NoLayoutError);
  expect(parse).toThrow(sentence);
});

function withTrack(track: object): object {
  return { ...LAYOUT, tracks: [HIT, track] };
}
