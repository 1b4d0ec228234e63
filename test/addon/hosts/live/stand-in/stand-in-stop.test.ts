import { expect, test } from "vitest";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { LiveStoppedError } from "./live-calls.ts";
import { StandInLive, type StandInOptions } from "./stand-in-live.ts";

async function setUp(options: StandInOptions) {
  const stopped = Promise.withResolvers<void>();
  const live = new StandInLive(await temporaryFolder(), { ...options, onStop: stopped.resolve });
  return { live, song: live.context.application.song, stopped: stopped.promise };
}

/** A turn of the event loop in which nothing was left to do. */
async function quiet(live: StandInLive): Promise<void> {
  let seen = "";
  for (let turns = 0; turns < 20; turns += 1) {
    await new Promise((resolve) => void setImmediate(resolve));
    const now = JSON.stringify([live.calls.length, live.look().scenes]);
    if (now !== seen) turns = 0;
    seen = now;
  }
}

test.each([
  { stopBeforeCall: 2, scenes: 3 },
  { stopAfterCall: 2, scenes: 4 },
])(
  "a call that stops never comes back: $stopBeforeCall$stopAfterCall",
  async ({ scenes, ...stop }) => {
    const { live, song, stopped } = await setUp(stop);
    await song.createScene(-1);
    let cameBack = false;
    void song.createScene(-1).finally(() => (cameBack = true));
    await stopped;
    void song.createScene(-1);
    await quiet(live);
    expect(cameBack).toBe(false);
    expect(live.look().scenes).toHaveLength(scenes);
  },
);

test.each([
  { stopBeforeCall: 1, name: "Intro" },
  { stopAfterCall: 1, name: "Kit" },
])("a setter that stops throws, and nothing happens from then on: $name", async (stopCase) => {
  const { name, ...stop } = stopCase;
  const { live, song } = await setUp(stop);
  const [scene] = song.scenes;
  if (scene === undefined) throw new Error("There is no scene.");
  expect(() => (scene.name = "Kit")).toThrow(LiveStoppedError);
  expect(() => (scene.name = "Other")).toThrow(LiveStoppedError);
  expect(() => live.context.withinTransaction(() => 1)).toThrow(LiveStoppedError);
  expect(live.look().scenes[0]).toBe(name);
  expect(live.calls).toHaveLength(1);
});

test("of the calls active at the stop, some have happened and some never do", async () => {
  const counts = new Set<number>();
  for (let seed = 1; seed <= 20; seed += 1) {
    const { live, song, stopped } = await setUp({ stopBeforeCall: 3, seed });
    void [1, 2, 3].map(() => song.createScene(-1));
    await stopped;
    const { length } = live.look().scenes;
    counts.add(length - 2);
    await quiet(live);
    expect(live.look().scenes).toHaveLength(length);
  }
  expect([...counts].sort((a, b) => a - b)).toEqual([0, 1, 2]);
});

test("the stop is reported before anything else runs", async () => {
  let reported = false;
  const live = new StandInLive(await temporaryFolder(), {
    stopBeforeCall: 1,
    onStop: () => (reported = true),
  });
  void live.context.application.song.createScene(-1);
  expect(reported).toBe(true);
});
