import { expect, test } from "vitest";
import { readGain } from "../../../../../addon/hosts/live/remote-script/read-holds.ts";
import { compareSettings } from "../../../../../core/report/compare-settings.ts";
import { layoutOf, LOOP, ONE_SHOT } from "../../../../contracts/host/host-contract.ts";
import { placedOf, surfaceStudio } from "./surface-studio.ts";

/** Places a loop and a one-shot of which Live holds something else. */
async function placeBent(change: Readonly<Record<string, unknown>>) {
  const { host, request } = await surfaceStudio({ bends: (holds) => ({ ...holds, ...change }) });
  const placed = await host.place(await request(layoutOf([LOOP, ONE_SHOT])));
  const [loop, oneShot] = [placedOf(placed, "beat"), placedOf(placed, "kick")];
  const settings = (plan: typeof LOOP, { holds, tolerances }: typeof loop) =>
    compareSettings(plan, holds, tolerances).map(({ setting }) => setting);
  return { loop, oneShot, ofLoop: settings(LOOP, loop), ofOneShot: settings(ONE_SHOT, oneShot) };
}

test("[H14] whatever Live holds otherwise is a difference of its own name", async () => {
  for (const [change, ofLoop] of [
    [{ start_marker: 2 }, ["start"]],
    [{ loop_start: 1 }, ["loop_start"]],
    [{ loop_end: 15.5 }, ["loop_beats"]],
    [{ color_index: 7 }, ["color_index"]],
    [{ track_color: 7 }, ["color_index"]],
    [{ gain_display_string: "\u22123.2 dB" }, ["gain_db"]],
    [{ file_path: "/elsewhere/Beat.wav" }, ["file"]],
    [{ name: "Other" }, ["clip"]],
    [{ warp_mode: 4 }, ["warp_mode"]],
  ] as const) {
    expect([change, (await placeBent(change)).ofLoop]).toEqual([change, ofLoop]);
  }
  const drifting = await placeBent({
    markers: [
      [0, 0],
      [2, 6],
      [5.517125, 15.9996625],
      [6, 17.4],
    ],
  });
  expect(drifting.ofLoop).toContain("warp_markers");
  expect((await placeBent({ loop_start: 1 })).ofOneShot).toEqual(["start"]);
});

test("[H14] what Live doesn't tell is named, and never counts as equal", async () => {
  for (const [change, unchecked] of [
    [{ markers: null }, ["loop end", "tempo", "start", "loop start", "warp markers"]],
    [{ gain_display_string: null, gain: 0.2 }, ["gain"]],
    [{ file_path: null }, ["file"]],
    [{ track_color: null }, ["track color"]],
    [
      { input: null, armed: null, volume: null, pitch_fine: null },
      ["pitch", "arming", "input", "fader"],
    ],
  ] as const) {
    expect((await placeBent(change)).loop.unchecked).toEqual(unchecked);
  }
});

test("[H14] notes what no setting says", async () => {
  for (const [change, note] of [
    [{ pitch_coarse: -2 }, "It is transposed by -2 semitones and 0 cents."],
    [{ armed: true }, "Its track is armed."],
    [{ input: "Ext. In" }, "Its track's input is “Ext. In”."],
    [{ volume: 0.7 }, "Its track's fader is not at 0 dB."],
  ] as const) {
    expect((await placeBent(change)).loop.notes).toContain(note);
  }
  const early = await placeBent({ loop_end: 1 });
  expect(early.oneShot.notes).toContain("It ends at 1 s; its file has 5.517 s.");
  const bare = await placeBent({});
  expect(bare.loop.notes).toEqual(["Use Collect All and Save to keep it with your Set."]);
});

test("[H13] a refused end is tried otherwise, and only a wrong one is a difference", async () => {
  const layout = layoutOf([LOOP]);
  const text = "Cannot set LoopEnd past the sample.";
  const refusing = async (count: number) => {
    let refused = 0;
    const { host, request } = await surfaceStudio({
      refuses: () => (refused++ < count ? text : undefined),
    });
    const beat = placedOf(await host.place(await request(layout)), "beat");
    return { beat, differences: compareSettings(LOOP, beat.holds, beat.tolerances) };
  };
  const moved = await refusing(1);
  expect(moved.differences).toEqual([]);
  expect(moved.beat.tolerances).toMatchObject({ warpMarkerBeats: 1e-4 });
  expect(moved.beat.notes.join(" ")).not.toContain(text);
  const own = await refusing(3);
  expect(own.differences.map(({ setting }) => setting)).toContain("loop_beats");
  expect(own.beat.notes).toContain(
    "Live refused its loop end: Cannot set LoopEnd past the sample.",
  );
});

test("[H14] reads Live's display of a gain, whatever minus it has", () => {
  const read = (text: string | null, gain: number | null = null) =>
    readGain({ gain_display_string: text, gain });
  expect(read("\u22123.0 dB")).toEqual({ gainDb: -3, toleranceDb: 0.1 });
  expect(read("+4.25 dB")).toEqual({ gainDb: 4.25, toleranceDb: 0.1 });
  expect(read("-16 dB")).toEqual({ gainDb: -16, toleranceDb: 1 });
  expect(read("-inf dB")?.gainDb).toBe(-70);
  expect(read("\u2212\u221e dB")?.gainDb).toBe(-70);
  expect(read("loud", 0.4)?.gainDb).toBeCloseTo(0, 9);
  expect(read(null, 0.2)).toBeUndefined();
  expect(read("-0.5 dB")?.gainDb).toBe(-0.5);
});
