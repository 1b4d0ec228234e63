import { join } from "node:path";
import { expect, test } from "vitest";
import type { PlacedSound } from "../../../core/report/placed-sound.ts";
import { HostStepError } from "../../../addon/hosts/host.ts";
import type { PreviewFaults } from "../../../addon/hosts/preview/preview-faults.ts";
import { IN_PREVIEW, PreviewHost } from "../../../addon/hosts/preview/preview-host.ts";
import {
  PreviewSession,
  readPreviewSession,
} from "../../../addon/hosts/preview/preview-session.ts";
import { NO_TRACK, ON_EARLIER_TRACK } from "../../../addon/hosts/already-placed.ts";
import {
  GUESSED,
  layoutOf,
  LOOP,
  ONE_SHOT,
  placeRequest,
} from "../../contracts/host/host-contract.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const ALL = layoutOf([LOOP, ONE_SHOT, GUESSED]);

/** A session into which the package was imported once. */
async function importedOnce() {
  const path = join(await temporaryFolder(), "preview-session.json");
  const host = (faults: PreviewFaults = {}) => new PreviewHost(path, { faults });
  const again = async (more: Parameters<typeof placeRequest>[1] = {}) =>
    placeRequest(ALL, { runId: "run-2", reuseTracks: true, ...more });
  await host().place(await placeRequest(ALL));
  return { path, host, again, read: () => readPreviewSession(path) };
}

function notesOf(placed: readonly PlacedSound[]): readonly (readonly string[])[] {
  return placed.map((sound) =>
    "holds" in sound ? sound.notes.filter((note) => note !== IN_PREVIEW) : [JSON.stringify(sound)],
  );
}

test("[R15] imports again into a new scene on the same tracks, and changes nothing else on them", async () => {
  const { path, host, again, read } = await importedOnce();
  const before = await read();
  const placed = await host().place(await again());
  const { scenes, tracks } = await read();
  expect(scenes).toHaveLength(2);
  expect(notesOf(placed)).toEqual([[ON_EARLIER_TRACK], [ON_EARLIER_TRACK], [ON_EARLIER_TRACK]]);
  const added = scenes.at(-1)?.id ?? 0;
  expect(tracks.map(({ clip_slots: slots }) => Object.hasOwn(slots, added))).toEqual([
    true,
    true,
    true,
  ]);
  const session = await PreviewSession.open(path);
  for (const { id } of tracks) await session.deleteClip(id, added);
  expect((await read()).tracks).toEqual(before.tracks);
});

test("[R15] a sound whose track is gone gets a new one, and a note says so", async () => {
  const { path, host, again, read } = await importedOnce();
  const session = await PreviewSession.open(path);
  const [first] = session.state.tracks;
  await session.deleteTrack(first?.id ?? 0);
  const placed = await host().place(await again());
  expect(notesOf(placed)).toEqual([[NO_TRACK], [ON_EARLIER_TRACK], [ON_EARLIER_TRACK]]);
  expect((await read()).tracks.map(({ sound_id: id }) => id).toSorted()).toEqual(
    ALL.tracks.map(({ soundId }) => soundId).toSorted(),
  );
});

test("[R15] finds tracks by their mark: a track of another package with the same name stays as it is", async () => {
  const { host, read } = await importedOnce();
  const other = layoutOf([LOOP], "pkg_b");
  const request = await placeRequest(other, { runId: "run-b", reuseTracks: true });
  expect(notesOf(await host().place(request))).toEqual([[NO_TRACK]]);
  expect((await read()).tracks).toHaveLength(ALL.tracks.length + 1);
});

test("[R15] without being asked, an import makes its own tracks", async () => {
  const { host, again, read } = await importedOnce();
  const { reuseTracks: _, ...request } = await again();
  await host().place(request);
  expect((await read()).tracks).toHaveLength(2 * ALL.tracks.length);
});

test("[R15] a failure leaves the earlier tracks as they were", async () => {
  const { host, again, read } = await importedOnce();
  const before = await read();
  const placing = host({ failScene: true }).place(await again());
  await expect(placing).rejects.toThrow(HostStepError);
  expect((await read()).tracks).toEqual(before.tracks);
});

test("[R15] a sound that fails loses no track, and the others are placed", async () => {
  const { host, again, read } = await importedOnce();
  const before = await read();
  const placed = await host({ failSounds: ["beat"] }).place(await again());
  expect(placed[0]).toHaveProperty("error");
  const { tracks } = await read();
  expect(tracks[0]).toEqual(before.tracks[0]);
  expect(tracks.map(({ clip_slots: slots }) => Object.keys(slots).length)).toEqual([1, 2, 2]);
});

test("[R15] cancelling in the middle takes the new clips away, and no track", async () => {
  const { host, again, read } = await importedOnce();
  const before = await read();
  const stop = new AbortController();
  const onProgress = (placed: number) => {
    if (placed === 2) stop.abort();
  };
  const request = await again({ signal: stop.signal, onProgress });
  await expect(host().place(request)).rejects.toThrow();
  const after = await read();
  expect(after.tracks).toEqual(before.tracks);
  expect(after.scenes).toEqual(before.scenes);
});

test("[R15] a run that was cut off is completed on the same tracks, also when nobody asks again", async () => {
  for (const stopBeforeCall of [1, 2, 3, 4]) {
    const { host, again, read } = await importedOnce();
    const { promise: stopped, resolve: onStop } = Promise.withResolvers<void>();
    const request = await again();
    void host({ stopBeforeCall, onStop }).place(request);
    await stopped;
    await host().place(await again());
    const { scenes, tracks } = await read();
    expect(scenes).toHaveLength(2);
    expect(tracks.map(({ clip_slots: slots }) => Object.keys(slots).length)).toEqual([2, 2, 2]);
  }
});
