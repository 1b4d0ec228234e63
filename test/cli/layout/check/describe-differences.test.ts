import { ONE_SHOT, sampleTrack } from "../../../core/layout/sample-package.ts";
import { expect, test } from "vitest";
import { describeDifferences } from "../../../../cli/layout/check/describe-differences.ts";
import { formatProblems } from "../../../../cli/layout/check/format-check.ts";
import { compareLayouts } from "../../../../core/layout/compare-layouts.ts";
import type { LayoutJson } from "../../../../core/layout/layout-json.ts";

const layoutOf = (
  tracks: LayoutJson["tracks"],
  warnings: LayoutJson["warnings"] = [],
): LayoutJson => ({ scene: { name: "Night" }, tracks, warnings });
const print = (accepted: LayoutJson, now: LayoutJson) =>
  formatProblems(describeDifferences(compareLayouts(accepted, now), accepted, now));

test("[B3] a line names the sound, the setting, and both values in the host's terms", () => {
  const accepted = [
    sampleTrack("Kick"),
    sampleTrack("Acid Runner"),
    sampleTrack("Gone"),
    { ...sampleTrack("Vox"), color_index: 0, gain_db: -3.5, loop_beats: null },
  ];
  const now = [
    sampleTrack("Kick"),
    sampleTrack("Acid Runner", { warp_mode: "complex", looping: false, tempo_bpm: 63.5 }),
    sampleTrack("Vox"),
    sampleTrack("New"),
  ];
  expect(print(layoutOf(accepted), { ...layoutOf(now), scene: { name: "Day" } })).toEqual([
    "–               Scene name   “Night” → “Day”",
    "2  Acid Runner  Warp mode    Tones → Complex",
    "2  Acid Runner  Loop         on → off",
    "2  Acid Runner  Tempo        126 BPM → 63.5 BPM",
    "3  Vox          Loop length  guessed → 8 beats",
    "3  Vox          Color        #FF94A6 → #92A7FF",
    "3  Vox          Gain         −3.5 dB → 0 dB",
    "4  New          Sound        missing → “New”",
    "–  Gone         Sound        “Gone” → missing",
  ]);
});

test("[B3] shows a dash for what a one-shot lacks, and “guessed” for what a loop leaves open", () => {
  const hit = sampleTrack("Hit", ONE_SHOT);
  expect(print(layoutOf([sampleTrack("Hit", { tempo_bpm: null })]), layoutOf([hit]))).toEqual([
    "1  Hit  Kind         loop → one-shot",
    "1  Hit  Warp         on → off",
    "1  Hit  Warp mode    Tones → –",
    "1  Hit  Loop         on → off",
    "1  Hit  Loop length  8 beats → –",
  ]);
  expect(
    print(layoutOf([sampleTrack("Hit", { tempo_bpm: null })]), layoutOf([sampleTrack("Hit")])),
  ).toEqual(["1  Hit  Tempo  guessed → 126 BPM"]);
});

test("[B3] shows a new order by name", () => {
  const names = ["Kick", "Snare", "Hat", "Bass"].map((id) => sampleTrack(id));
  const turned = ["Kick", "Hat", "Snare", "Bass"].map((id) => sampleTrack(id));
  expect(print(layoutOf(names), layoutOf(turned))).toEqual(["–    Order  Snare, Hat → Hat, Snare"]);
});

test("[B3] shows the notes and warnings that were added or removed", () => {
  const warn = (message: string, sound?: string) => ({
    code: "CUT",
    message,
    ...(sound !== undefined && { sound }),
  });
  const accepted = layoutOf([sampleTrack("A", { notes: ["Stays.", "Went."] })], [warn("Old.")]);
  const now = layoutOf([sampleTrack("A", { notes: ["Stays.", "Came."] })], [warn("Cut.", "A")]);
  expect(print(accepted, now)).toEqual([
    "–     Warnings  Old. → none",
    "1  A  Notes     Went. → none",
    "1  A  Notes     none → Came.",
    "1  A  Warnings  none → Cut.",
  ]);
  const twice = layoutOf([sampleTrack("A", { notes: ["One.", "Two."] })]);
  const turned = layoutOf([sampleTrack("A", { notes: ["Two.", "One."] })]);
  expect(print(twice, turned)).toEqual(["1  A  Notes  One., Two. → Two., One."]);
});

test("[B3] shows values as JSON if they look the same once formatted", () => {
  const warned = (code: string) => layoutOf([], [{ code, message: "Cut." }]);
  const turn = (gain_db: number) => layoutOf([sampleTrack("A", { gain_db })]);
  expect(print(turn(-3), turn(-3.0001))).toEqual(["1  A  Gain  -3 → -3.0001"]);
  expect(print(warned("CUT"), warned("SHORT"))).toEqual([
    '–    Warnings  [{"code":"CUT","message":"Cut."}] → [{"code":"SHORT","message":"Cut."}]',
  ]);
});

test("[B3] a name controls neither the terminal nor the lines around it", () => {
  const [line, ...others] = print(
    layoutOf([sampleTrack("a", { clip: "\u001B[31mRed\n1  Fake\u202E" })]),
    layoutOf([sampleTrack("a", { clip: "Plain" })]),
  );
  expect(line).toBe("1  Plain  Clip name  “ [31mRed 1  Fake ” → “Plain”");
  expect(others).toEqual([]);
});
