import { expect, test } from "vitest";
import { HostStepError } from "../../../../../addon/hosts/host.ts";
import { layoutOf, LOOP, ONE_SHOT } from "../../../../contracts/host/host-contract.ts";
import type { FakeHabits } from "./fake-live-habits.ts";
import { violationsIn } from "./fake-live-log.ts";
import type { FakeSet, FakeSetGiven } from "./fake-live-set.ts";
import { type LiveStudio, liveStudio } from "./live-studio.ts";
import { lasting, tracksAfter } from "./look-in-set.ts";
import { QUICK, RUN, SMALL } from "./small-layout.ts";

const LITE = { ...QUICK, variant: "Lite" } as const;
const INTRO = { ...QUICK, variant: "Intro", limits: { tracks: 16, scenes: 8 } } as const;
const NAME = "Kit (Looper)";

function layoutWith(sounds: number) {
  return layoutOf(
    Array.from({ length: sounds }, (_, index) => ({
      ...(index % 2 === 0 ? { ...LOOP, tempoBpm: 120, loopEndBeats: 8 } : ONE_SHOT),
      soundId: `s${index}`,
      trackName: `${index} (Looper)`,
      clipName: `${index}`,
      gainDb: 0,
    })),
  );
}

/** The scenes without what every Set has: their names, colors and tempos. */
function looksOf({ scenes }: FakeSet) {
  return scenes.map(({ name, colorIndex, tempo }) => ({ name, colorIndex, tempo }));
}

async function open(habits: Partial<FakeHabits>, set: FakeSetGiven = {}) {
  const studio = await liveStudio({ habits, set });
  return { studio, before: await studio.live.dump() };
}

test.each([
  { variant: "Lite", habits: LITE, room: 6 },
  { variant: "Intro", habits: INTRO, room: 14 },
])(
  "[R17] in the Set that Live $variant opens with, as many sounds as fit are placed, in an empty scene",
  async ({ habits, room }) => {
    for (const sounds of [1, 9, 17, 32]) {
      const { studio, before } = await open(habits);
      const layout = layoutWith(sounds);
      const placed = await studio.host.place(await studio.request(layout, { runId: RUN }));
      const after = await studio.live.dump();
      const fit = Math.min(sounds, room);
      const ids = layout.tracks.map(({ soundId }) => soundId);
      expect(placed.filter((sound) => "holds" in sound).map(({ soundId }) => soundId)).toEqual(
        ids.slice(0, fit),
      );
      expect(placed.filter((sound) => "skipped" in sound).map(({ soundId }) => soundId)).toEqual(
        ids.slice(fit),
      );
      expect(after.scenes).toHaveLength(8);
      expect(after.scenes.map(({ name }) => name)).toEqual([
        NAME,
        ...Array.from({ length: 7 }, () => ""),
      ]);
      expect(tracksAfter(before, after).map(({ clips }) => clips[0]?.name)).toEqual(
        layout.tracks.slice(0, fit).map(({ clipName }) => clipName),
      );
      const { calls } = await studio.live.log();
      const asked = calls.filter(({ call }) => call === "Song.create_audio_track");
      expect(asked).toHaveLength(Math.min(sounds, room + 1));
      expect(violationsIn(await studio.live.log())).toEqual([]);
    }
  },
);

test.each<[what: string, set: FakeSetGiven, row: number]>([
  ["the selected one", { selectedScene: 3 }, 3],
  ["else the first", { selectedScene: 0, scenes: [{ name: "A" }, {}, {}, {}, {}, {}, {}, {}] }, 1],
  [
    "none with a color, a tempo or a time signature",
    {
      selectedScene: 0,
      scenes: [{ colorIndex: 3 }, { tempo: 90 }, { hasTimeSignature: true }, {}, {}, {}, {}, {}],
    },
    3,
  ],
  [
    "none with a clip in any slot",
    { tracks: [{ name: "A" }, { name: "B", clips: [{ name: "Theirs" }] }] },
    1,
  ],
])("[H23] an empty scene is taken: %s", async (_, set, row) => {
  const { studio, before } = await open(LITE, set);
  await studio.host.place(await studio.request(SMALL, { runId: RUN }));
  const after = await studio.live.dump();
  const looks = looksOf(before);
  expect(looksOf(after)).toEqual(looks.with(row, { name: NAME, colorIndex: null, tempo: null }));
  expect(after.selectedScene).toBe(before.selectedScene);
});

test("[H23] without an empty scene, the import is refused, and nothing stays", async () => {
  const scenes = Array.from({ length: 8 }, (_, index) => ({ name: `${index}` }));
  const { studio, before } = await open(LITE, { scenes });
  const placing = studio.host.place(await studio.request(SMALL, { runId: RUN }));
  await expect(placing).rejects.toBeInstanceOf(HostStepError);
  expect(lasting(await studio.live.dump())).toEqual(lasting(before));
});

test("[H23] without room for one track, the taken scene gets its name back", async () => {
  const tracks = Array.from({ length: 8 }, (_, index) => ({ name: `${index}` }));
  const { studio, before } = await open(LITE, { tracks });
  const error = await studio.host
    .place(await studio.request(SMALL, { runId: RUN }))
    .catch((thrown: unknown) => thrown);
  expect(String(error)).toContain("8 tracks");
  expect(lasting(await studio.live.dump())).toEqual(lasting(before));
});

/** Cancels after so many ticks; returns whether the import was over by then. */
async function cancelled({ live, host, request }: LiveStudio, ticks: number): Promise<boolean> {
  await live.stop();
  const callOff = new AbortController();
  const asked = await request(SMALL, { runId: RUN, signal: callOff.signal });
  const ended = host.place(asked).then(
    () => true,
    () => false,
  );
  for (let tick = 0; tick < ticks; tick += 1) {
    await live.tick();
    await new Promise(setImmediate);
  }
  callOff.abort(new Error("called off"));
  await live.run();
  return ended;
}

test("[H23] a cancel in any tick gives the taken scene back, and deletes none", async () => {
  const { studio, before } = await open(LITE);
  for (const ticks of [0, 1, 2, 3, 4, 5, 6, 8, 12, 20]) {
    await studio.live.reload(before);
    const isOver = await cancelled(studio, ticks);
    expect(isOver, `${ticks} ticks`).toBe(false);
    expect(lasting(await studio.live.dump()), `${ticks} ticks`).toEqual(lasting(before));
  }
  expect(violationsIn(await studio.live.log())).toEqual([]);
});
