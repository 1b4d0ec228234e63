import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { HostStepError, LeftBehindError } from "../../../../../addon/hosts/host.ts";
import { layoutOf, LOOP } from "../../../../contracts/host/host-contract.ts";
import { callsToTry } from "../../../../whole-forms.ts";
import type { FakeSet } from "./fake-live-set.ts";
import { type LiveStudio, liveStudio } from "./live-studio.ts";
import { lasting } from "./look-in-set.ts";
import { numberCalls, violationsIn, withoutRepeated } from "./fake-live-log.ts";
import { added, NOTHING, ONCE, QUICK, RUN, SMALL } from "./small-layout.ts";
import { expectTrueReport } from "./true-report.ts";

/** Someone's Set: its names, order, selection, tempo and data must stay. */
const SET = {
  tempo: 97,
  isPlaying: true,
  selectedScene: 1,
  selectedTrack: 0,
  data: { other: "theirs" },
  scenes: [{ name: "A" }, { name: "B" }, { name: "C" }],
  tracks: [{ name: "Drums" }, { name: "Bass", data: { other: "theirs" } }],
};
async function expectUntouched({ live }: LiveStudio, before: FakeSet, why: string): Promise<void> {
  expect(lasting(await live.dump()), why).toEqual(lasting(before));
  expect(violationsIn(await live.log()), why).toEqual([]);
}

test("[H16] a cancel in any tick leaves the Set as it was", async () => {
  const studio = await liveStudio({ habits: QUICK, set: SET });
  const before = await studio.live.dump();
  let cancelled = 0;
  for (let ticks = 0; ; ticks += 1) {
    await studio.live.reload(before);
    await studio.live.stop();
    const callOff = new AbortController();
    const request = await studio.request(SMALL, { runId: RUN, signal: callOff.signal });
    const placing = studio.host.place(request);
    const ended = placing.then(
      () => true,
      (error: unknown) => error,
    );
    const over = ended.then(() => true);
    for (let tick = 0; tick < ticks; tick += 1) {
      await studio.live.tick();
      if (await Promise.race([over, sleep(5, false)])) break;
    }
    callOff.abort(new Error("called off"));
    await studio.live.run();
    const end = await ended;
    if (end === true) {
      expect(added(before, await studio.live.dump())).toEqual(ONCE);
      break;
    }
    cancelled += 1;
    expect(end).toHaveProperty("message", "called off");
    await expectUntouched(studio, before, `cancelled after ${ticks} ticks`);
  }
  expect(cancelled).toBeGreaterThan(5);
});

test("[H16] a cancel that arrives with the last progress either removes all or nothing", async () => {
  const studio = await liveStudio({ habits: QUICK, set: SET });
  const before = await studio.live.dump();
  for (const sounds of [0, 1, 2]) {
    await studio.live.reload(before);
    await studio.live.run();
    const callOff = new AbortController();
    const onProgress = (placed: number) => {
      if (placed >= sounds) callOff.abort(new Error("called off"));
    };
    const request = await studio.request(SMALL, { runId: RUN, signal: callOff.signal, onProgress });
    const end: unknown = await studio.host.place(request).catch((error: unknown) => error);
    if (Array.isArray(end)) expect(added(before, await studio.live.dump())).toEqual(ONCE);
    else await expectUntouched(studio, before, `cancelled after ${sounds} sounds`);
  }
});

test("[H14] a refusal of any call costs one sound, is told, or leaves the Set as it was", async () => {
  const { live, host, request: requestOf } = await liveStudio({ habits: QUICK, set: SET });
  await host.place(await requestOf(SMALL, { runId: RUN }));
  const all = numberCalls((await live.log()).calls);
  const calls = withoutRepeated(all, { first: 8, last: 3 });
  expect(calls.length).toBeGreaterThan(100);
  const ends = { placed: 0, refused: 0 };
  for (const number of callsToTry(calls.length, 60)) {
    const failing = calls[number - 1];
    if (failing === undefined) throw new Error(`There is no call ${number}.`);
    const why = `${failing.call}, ${failing.nth}`;
    const studio = await liveStudio({ habits: { ...QUICK, failing: [failing] }, set: SET });
    const before = await studio.live.dump();
    const request = await studio.request(SMALL, { runId: RUN });
    const end: unknown = await studio.host.place(request).catch((error: unknown) => error);
    if (Array.isArray(end)) {
      ends.placed += 1;
      try {
        expectTrueReport(SMALL, end, [before, await studio.live.dump()]);
      } catch (cause) {
        throw new Error(`${why}: ${String(cause)}`, { cause });
      }
    } else {
      ends.refused += 1;
      expect(end, why).toBeInstanceOf(Error);
      await expectUntouched(studio, before, `${why}: ${String(end)}`);
    }
    await studio.live.kill();
  }
  expect(Math.min(ends.placed, ends.refused)).toBeGreaterThan(0);
});

describe("[H16] what can't be removed is named", () => {
  test.each([
    {
      failing: [{ call: "Song.create_audio_track", nth: 2 }, { call: "Song.delete_track" }],
      stays: ["Beat (Looper)"],
    },
    {
      failing: [{ call: "Song.create_audio_track", nth: 2 }, { call: "Song.delete_scene" }],
      stays: ["Kit (Looper)"],
    },
    {
      failing: [{ call: "ClipSlot.create_audio_clip" }, { call: "Song.delete_track" }],
      stays: ["Beat (Looper)", "Kick (Looper)"],
    },
  ])("$stays", async ({ failing, stays }) => {
    const studio = await liveStudio({ habits: { ...QUICK, failing }, set: SET });
    const before = await studio.live.dump();
    const request = await studio.request(SMALL, { runId: RUN });
    const error: unknown = await studio.host.place(request).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(LeftBehindError);
    const { scenes, tracks } = added(before, await studio.live.dump());
    expect([...tracks, ...Array.from({ length: scenes }, () => "Kit (Looper)")].toSorted()).toEqual(
      stays,
    );
    for (const name of stays) expect(String(error)).toContain(name);
  });
});

describe("[H16] an edition's limit at which not one sound fits is said, and all is removed", () => {
  test.each([
    { variant: "Lite", tracks: 8, scenes: 3, says: "Live Lite takes only 8 tracks in a Set" },
    { variant: "Lite", tracks: 2, scenes: 8, says: "Live Lite takes only 8 scenes in a Set" },
    { variant: "Intro", tracks: 16, scenes: 3, says: "Live Intro takes only 16 tracks in a Set" },
    { variant: "Intro", tracks: 16, scenes: 16, says: "Live Intro takes only 16 scenes in a Set" },
  ] as const)("$variant with $tracks tracks and $scenes scenes: $says", async (given) => {
    const named = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ name: `${index}` }));
    const set = { ...SET, tracks: named(given.tracks), scenes: named(given.scenes) };
    const studio = await liveStudio({ habits: { ...QUICK, variant: given.variant }, set });
    const before = await studio.live.dump();
    const error: unknown = await studio.host
      .place(await studio.request(SMALL, { runId: RUN }))
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HostStepError);
    expect(String(error)).toContain(given.says);
    await expectUntouched(studio, before, given.says);
  });
});

test("[R6] a cancel gives the Set back its tempo", async () => {
  const studio = await liveStudio({ habits: { ...QUICK, callMs: { "*": 2 } }, set: SET });
  const before = await studio.live.dump();
  const callOff = new AbortController();
  const onProgress = () => callOff.abort(new Error("called off"));
  const layout = layoutOf([LOOP, { ...LOOP, soundId: "other", trackName: "Other" }]);
  const more = { signal: callOff.signal, onProgress, sessionTempoBpm: 140 };
  await expect(studio.host.place(await studio.request(layout, more))).rejects.toThrow("called off");
  const after = await studio.live.dump();
  expect(added(before, after)).toEqual(NOTHING);
  expect(after.tempo).toBe(97);
});
