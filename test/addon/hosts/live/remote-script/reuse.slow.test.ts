import { expect, test } from "vitest";
import type { PlacedSound } from "../../../../../core/report/placed-sound.ts";
import { HostStepError } from "../../../../../addon/hosts/host.ts";
import {
  NO_TRACK,
  ON_EARLIER_TRACK,
  TRACK_UNUSABLE,
} from "../../../../../addon/hosts/already-placed.ts";
import { callsToTry } from "../../../../whole-forms.ts";
import type { FakeSet, FakeTrack } from "./fake-live-set.ts";
import { type LiveStudio, liveStudio } from "./live-studio.ts";
import { lasting, lastingTracks } from "./look-in-set.ts";
import { numberCalls, violationsIn } from "./fake-live-log.ts";
import { QUICK, RUN, SMALL } from "./small-layout.ts";

const SET = {
  scenes: [{ name: "A" }, { name: "B" }, { name: "C" }],
  tracks: [{ name: "Drums" }],
};

/** A Set with an import in it. */
async function importedOnce(change: (set: FakeSet) => FakeSet = (set) => set) {
  const studio = await liveStudio({ habits: QUICK, set: SET });
  await studio.host.place(await studio.request(SMALL, { runId: RUN }));
  await studio.live.reload(change(await studio.live.dump()));
  await studio.live.run();
  return { studio, before: await studio.live.dump() };
}

async function placeAgain({ host, request }: LiveStudio, more: object = {}) {
  const layout = { ...SMALL, scene: { name: "Kit 2 (Looper)" } };
  return host.place(await request(layout, { runId: "run-2", reuseTracks: true, ...more }));
}

function reuseNotes(placed: readonly PlacedSound[]): readonly string[] {
  const known = new Set([NO_TRACK, ON_EARLIER_TRACK, TRACK_UNUSABLE]);
  return placed.flatMap((sound) =>
    "holds" in sound ? sound.notes.filter((note) => known.has(note)) : [JSON.stringify(sound)],
  );
}

/** The rows of the scenes that weren't there before; all earlier names differ. */
function newRows(before: FakeSet, after: FakeSet): readonly number[] {
  const known = new Set(before.scenes.map(({ name }) => name));
  return after.scenes.flatMap(({ name }, row) => (known.has(name) ? [] : [row]));
}

/** The first tracks without the clips of new scenes, and without our own mark. */
function earlierTracks(before: FakeSet, after: FakeSet): readonly object[] {
  const rows = new Set(newRows(before, after));
  return lastingTracks(after)
    .slice(0, before.tracks.length)
    .map(({ clips, ...track }) =>
      Object.assign(track, { data: {}, clips: clips.filter((_, row) => !rows.has(row)) }),
    );
}

/** The musician renamed, recolored and mixed the track. */
function edited(set: FakeSet): FakeSet {
  const tracks = set.tracks.map((track) =>
    track.name.startsWith("Beat")
      ? { ...track, name: "My drums", colorIndex: 40, volume: 0.5 }
      : track,
  );
  return { ...set, tracks };
}

test("[R15] imports again on the same tracks, by mark, and changes nothing else on them", async () => {
  const { studio, before } = await importedOnce(edited);
  const placed = await placeAgain(studio);
  const after = await studio.live.dump();
  expect(reuseNotes(placed)).toEqual([ON_EARLIER_TRACK, ON_EARLIER_TRACK]);
  expect(after.scenes).toHaveLength(before.scenes.length + 1);
  expect(earlierTracks(before, after)).toEqual(earlierTracks(before, before));
  const [row = -1] = newRows(before, after);
  const added = after.tracks.map(({ clips }) => clips[row]?.name ?? null);
  expect(added).toEqual([null, "Beat", "Kick"]);
  expect(violationsIn(await studio.live.log())).toEqual([]);
});

test("[R15] does it once more, and takes the latest tracks", async () => {
  const { studio } = await importedOnce();
  await studio.host.place(await studio.request(SMALL, { runId: "run-2", again: true }));
  const placed = await placeAgain(studio, { runId: "run-3" });
  expect(reuseNotes(placed)).toEqual([ON_EARLIER_TRACK, ON_EARLIER_TRACK]);
  const { tracks } = await studio.live.dump();
  expect(tracks.map(({ clips }) => clips.filter((clip) => clip !== null).length)).toEqual([
    0, 1, 1, 2, 2,
  ]);
  await placeAgain(studio, { runId: "run-4" });
  expect((await studio.live.dump()).tracks).toHaveLength(tracks.length);
});

test.each<[string, (track: FakeTrack) => FakeTrack | undefined, string]>([
  ["frozen", (track) => ({ ...track, isFrozen: true }), TRACK_UNUSABLE],
  ["no audio track any more", (track) => ({ ...track, kind: "midi", clips: [] }), TRACK_UNUSABLE],
  ["gone", () => undefined, NO_TRACK],
])("[R15] a sound whose track is %s gets a new one, with a note", async (_, change, note) => {
  const { studio, before } = await importedOnce((set) => ({
    ...set,
    tracks: set.tracks.flatMap((track) =>
      track.name.startsWith("Beat") ? (change(track) ?? []) : track,
    ),
  }));
  const placed = await placeAgain(studio);
  expect(reuseNotes(placed)).toEqual([note, ON_EARLIER_TRACK]);
  const { tracks } = await studio.live.dump();
  expect(tracks).toHaveLength(before.tracks.length + 1);
  expect(tracks.at(-1)).toMatchObject({ kind: "audio", name: "Beat (Looper)" });
});

test("[R15] a cancel in any tick, and a refusal of any call, leaves the earlier tracks as they were", async () => {
  const { studio, before } = await importedOnce(edited);
  const calls = await callsOf(studio);
  let refused = 0;
  for (const number of callsToTry(calls.length, 24)) {
    const { call, nth } = calls[number - 1] ?? { call: "", nth: 0 };
    await studio.live.change({ failing: [] });
    await studio.live.reload(before);
    await studio.live.run();
    await studio.live.change({ failing: [{ call, nth }] });
    const end: unknown = await placeAgain(studio).catch((error: unknown) => error);
    const after = await studio.live.dump();
    expect(earlierTracks(before, after), `call ${number}`).toEqual(earlierTracks(before, before));
    if (end instanceof HostStepError) {
      refused += 1;
      expect(lasting(after), `call ${number}`).toEqual(lasting(before));
    }
  }
  expect(refused).toBeGreaterThan(0);
  await studio.live.change({ failing: [] });
  for (let ticks = 0; ticks < 12; ticks += 1) {
    await studio.live.reload(before);
    await studio.live.stop();
    const callOff = new AbortController();
    const placing = placeAgain(studio, { signal: callOff.signal }).catch((error: unknown) => error);
    await studio.live.tick(ticks);
    callOff.abort(new Error("called off"));
    await studio.live.run();
    const end = await placing;
    if (Array.isArray(end)) continue;
    expect(lasting(await studio.live.dump()), `after ${ticks} ticks`).toEqual(lasting(before));
  }
});

/** Places again; returns the calls of that run. */
async function callsOf(studio: LiveStudio) {
  const earlier = (await studio.live.log()).calls.length;
  await placeAgain(studio);
  return numberCalls((await studio.live.log()).calls.slice(earlier));
}
