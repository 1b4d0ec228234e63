import { expect, test } from "vitest";
import { layoutJson, trackJson } from "../../../core/layout/layout-json.ts";
import { planLayout } from "../../../core/layout/plan-layout.ts";
import { sampleHeader, samplePackage, sampleSound } from "./sample-package.ts";

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
