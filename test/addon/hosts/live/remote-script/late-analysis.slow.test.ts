import { expect, test } from "vitest";
import { GUESSED, layoutOf, LOOP, ONE_SHOT } from "../../../../contracts/host/host-contract.ts";
import type { FakeHabits } from "./fake-live-habits.ts";
import { violationsIn } from "./fake-live-log.ts";
import { differencesIn, lastLook } from "./follow-live.ts";
import { liveStudio } from "./live-studio.ts";
import { clipOf, tracksAfter } from "./look-in-set.ts";
import { QUICK, RUN } from "./small-layout.ts";
import { expectTrueReport } from "./true-report.ts";

const LAYOUT = layoutOf([
  { ...LOOP, tempoBpm: 120, loopEndBeats: 8 },
  { ...GUESSED, soundId: "pad" },
  ONE_SHOT,
]);
const NEVER = 1_000_000;
/** Live hears another tempo, and the first beat late. */
const HEARD: Partial<FakeHabits> = { ...QUICK, guess: 127, firstMarkerSeconds: 0.31 };
const BEAT = { beat: ["start", "loop_start", "loop_beats", "tempo_bpm", "warp_markers"] };
const BOTH = { ...BEAT, pad: ["start", "loop_start"] };

async function imported(habits: Partial<FakeHabits>) {
  const studio = await liveStudio({ habits: { ...HEARD, ...habits } });
  const before = await studio.live.dump();
  const placed = await studio.host.place(await studio.request(LAYOUT, { runId: RUN }));
  const atPlace = await studio.live.dump();
  const last = await lastLook(studio, placed);
  return { studio, before, placed, atPlace, last, after: await studio.live.dump() };
}

/** Ticks after the clip, and what the report differs in: at first, and after the last look. */
test.each<[habits: Partial<FakeHabits>, atPlace: object, last: object]>([
  [{ analysisTicks: 1 }, {}, {}],
  [{ analysisTicks: 4 }, {}, {}],
  [{ analysisTicks: 7 }, {}, {}],
  [{ analysisTicks: 15 }, {}, {}],
  [{ analysisTicks: 28 }, {}, {}],
  [{ analysisTicks: 60 }, {}, BOTH],
  [{ analysisTicks: 90 }, {}, BOTH],
  [{ analysisTicks: 250 }, {}, BOTH],
  [{ analysisTicks: NEVER }, {}, {}],
  [{ analysisTicks: 8, analysisAgainTicks: 12 }, BEAT, BEAT],
  [{ analysisTicks: 20, analysisAgainTicks: 130 }, {}, BEAT],
  [{ analysisTicks: 15, firstMarkerSeconds: 0 }, {}, {}],
])(
  "[H24] after the last look, an analysis that ended late is repaired or told: %j",
  async (habits, atPlace, last) => {
    const run = await imported(habits);
    expect(differencesIn(LAYOUT, run.placed)).toEqual(atPlace);
    expectTrueReport(LAYOUT, run.placed, [run.before, run.atPlace]);
    expect(differencesIn(LAYOUT, run.last)).toEqual(last);
    expectTrueReport(LAYOUT, run.last, [run.before, run.after]);
    expect(violationsIn(await run.studio.live.log())).toEqual([]);
  },
);

test("[H24] a repair is one undo step more, and later looks write nothing", async () => {
  const { studio, before, after } = await imported({ analysisTicks: 15 });
  const { undo } = await studio.live.log();
  expect(undo).toHaveLength(2);
  expect(new Set(undo.at(-1)?.labels)).toEqual(
    new Set([
      "Clip.remove_warp_marker",
      "Clip.add_warp_marker",
      "Clip.loop_start=",
      "Clip.start_marker=",
    ]),
  );
  expect(tracksAfter(before, after).map((track) => clipOf(track).name)).toEqual([
    "Beat",
    "Pad",
    "Kick",
  ]);
});

test.each([
  [59, 2],
  [61, 3],
  [241, 4],
])("[H24] a file of %i s is looked at %i times after the answer", async (seconds, count) => {
  const studio = await liveStudio({ habits: QUICK });
  const audio = new Map([["kick", { frames: seconds * 8000, sampleRateHz: 8000 }]]);
  const request = await studio.request(layoutOf([ONE_SHOT]), { runId: RUN, audio });
  await studio.host.place(request);
  let looks = 0;
  for await (const _ of studio.host.follow(RUN, new AbortController().signal)) looks += 1;
  expect(looks).toBe(count);
});
