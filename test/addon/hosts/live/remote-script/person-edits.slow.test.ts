import { expect, test } from "vitest";
import { layoutOf, LOOP, ONE_SHOT } from "../../../../contracts/host/host-contract.ts";
import { someOf } from "../../../../whole-forms.ts";
import { violationsIn } from "./fake-live-log.ts";
import type { FakeClip, FakeTrack } from "./fake-live-set.ts";
import type { FakeEdit } from "./fake-live.ts";
import { lastLook } from "./follow-live.ts";
import { type LiveStudio, liveStudio } from "./live-studio.ts";
import { QUICK, RUN } from "./small-layout.ts";

const LAYOUT = layoutOf([{ ...LOOP, tempoBpm: 120, loopEndBeats: 8, gainDb: 0 }, ONE_SHOT]);
/** Our first track is at 2; our scene is at 1, below the selected one. */
const AT = { track: 2, scene: 1 };
const clip = (to: Partial<FakeClip>): FakeEdit => ({ do: "changeClip", ...AT, to });
type Edit = readonly [
  what: string,
  edits: readonly FakeEdit[],
  stands: Partial<FakeClip & FakeTrack>,
];
const FIRST = [0, 0] as const;
/** One frame before the file's end. */
const SECOND = [3.999875, 7.99975] as const;

function withMarkers(markers: FakeClip["markers"]) {
  return [[clip({ markers })], { markers }] as const;
}

const EDITS: readonly Edit[] = [
  ["names the clip", [clip({ name: "Mine" })], { name: "Mine" }],
  ["turns it up", [clip({ gain: 0.7 })], { gain: 0.7 }],
  ["colors it", [clip({ colorIndex: 40 })], { colorIndex: 40 }],
  ["transposes it", [clip({ pitchCoarse: 7 })], { pitchCoarse: 7 }],
  ["chooses a warp mode", [clip({ warpMode: 6 })], { warpMode: 6 }],
  ["unwarps it", [clip({ warping: false })], { warping: false }],
  ["takes off the loop", [clip({ looping: false })], { looping: false }],
  ["shortens the loop", [clip({ brace: [0, 4] })], { brace: [0, 4] }],
  ["moves a marker", ...withMarkers([FIRST, [4, 9]])],
  ["moves the first marker", ...withMarkers([[0, 1], SECOND])],
  ["adds a marker", ...withMarkers([FIRST, [1, 3], SECOND])],
  ["removes a marker", ...withMarkers([FIRST])],
  [
    "opens it and quantizes it",
    [
      { do: "openClip", ...AT },
      clip({
        markers: [
          [0.1, 0],
          [2, 3],
          [4, 7],
        ],
      }),
    ],
    {
      markers: [
        [0.1, 0],
        [2, 3],
        [4, 7],
      ],
    },
  ],
];

/** Ticks until our first clip has been there for so many ticks, and lets the person act. */
async function act({ live }: LiveStudio, ticks: number, edits: readonly FakeEdit[]) {
  for (let there = 0, tick = 0; there <= ticks && tick < 1000; tick += 1) {
    await live.tick();
    const { tracks } = await live.dump();
    if (tracks[AT.track]?.clips[AT.scene]?.name === "Beat") there += 1;
    else await new Promise(setImmediate);
  }
  for (const edit of edits) await live.edit(edit);
}

async function edited([, edits]: Edit, ticks: number, analysisTicks: number) {
  const habits = { ...QUICK, guess: 127, ...(analysisTicks > 0 && { analysisTicks }) };
  const studio = await liveStudio({ habits });
  await studio.live.stop();
  const placing = studio.host.place(await studio.request(LAYOUT, { runId: RUN }));
  placing.catch(() => undefined);
  if (ticks > 20) {
    await act(studio, 0, []);
    const following = placing.then((placed) => lastLook(studio, placed));
    await studio.live.tick(ticks);
    for (const edit of edits) await studio.live.edit(edit);
    await studio.live.run();
    return { studio, last: await following };
  }
  await act(studio, ticks, edits);
  await studio.live.run();
  return { studio, last: await lastLook(studio, await placing) };
}

/** None in which the analysis ends: what both change within one tick can't be told apart. */
const TICKS = [0, 1, 2, 4, 6, 8, 15, 27, 40, 120, 240];

test.each(someOf(TICKS, 2))(
  "[H24] what a person changes %i ticks after the import stays as it is",
  async (ticks) => {
    for (const analysisTicks of [0, 12])
      for (const edit of someOf(EDITS, 3)) {
        const [what, , stands] = edit;
        const why = `${what} after ${ticks} ticks, analysis after ${analysisTicks}`;
        const { studio, last } = await edited(edit, ticks, analysisTicks);
        const track = (await studio.live.dump()).tracks[AT.track];
        const held = { ...track?.clips[AT.scene] };
        // An analysis replaces markers, also a person's.
        if (analysisTicks < ticks || !("markers" in stands)) {
          expect({ ...held, ...stands }, why).toEqual(held);
        }
        expect(violationsIn(await studio.live.log()), why).toEqual([]);
        expect(last, why).toHaveLength(2);
        await studio.live.kill();
      }
  },
);
