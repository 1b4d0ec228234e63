import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readMarker, writeMarker } from "../../../../../addon/disk/folder-marker.ts";
import { LiveLimits } from "../../../../../addon/hosts/live/remote-script/live-limits.ts";
import { GUESSED, layoutOf, LOOP, ONE_SHOT } from "../../../../contracts/host/host-contract.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { placedOf, surfaceStudio } from "./surface-studio.ts";

const KIT = layoutOf([LOOP, GUESSED, ONE_SHOT]);
const LITE = { live: "12.1.5", edition: "Lite" };
const REASON = "Live Lite takes 2 tracks in a Set. This sound is in the sounds folder.";
const TAKEN =
  "Live Lite takes 1 scenes in a Set, so the clips are in an empty scene that was there.";

test("[R17][H23] places as many sounds as fit, in order, and says why the rest were skipped", async () => {
  const { host, surface, request } = await surfaceStudio({ edition: "Lite", trackLimit: 2 });
  const shown: (string | undefined)[] = [];
  const onProgress = (_placed: number, _total: number, id?: string) => shown.push(id);
  const placed = await host.place(await request(KIT, { onProgress }));
  expect(surface.set.look().tracks).toEqual(["Beat (Looper)", "Pad (Looper)"]);
  expect(placed.map((sound) => "holds" in sound)).toEqual([true, true, false]);
  expect(placed[2]).toEqual({ soundId: "kick", skipped: REASON });
  expect(shown).toEqual(["beat", "__proto__"]);
});

test("[H23] names no edition where Live tells none", async () => {
  const { host, request } = await surfaceStudio({ edition: null, trackLimit: 1 });
  const [, pad] = await host.place(await request(KIT));
  expect(pad).toHaveProperty(
    "skipped",
    "This Live takes 1 tracks in a Set. This sound is in the sounds folder.",
  );
});

test("[H23][F6] a skipped sound's file isn't marked as played", async () => {
  const { host, request, folder } = await surfaceStudio({ trackLimit: 1 });
  const fileNames = new Set(["beat.wav", "kick.wav"]);
  await writeMarker(folder, {
    packageId: "pkg_a",
    title: "Kit",
    fileNames,
    playedNames: new Set(),
    written: new Map(),
  });
  await host.place(await request(layoutOf([LOOP, ONE_SHOT])));
  expect([...((await readMarker(folder))?.playedNames ?? [])]).toEqual(["beat.wav"]);
});

test("[H23] where Live makes no scene, the clips are in an empty one, and each sound's note says so", async () => {
  const { host, surface, request } = await surfaceStudio({ edition: "Lite", sceneLimit: 1 });
  surface.set.scenes.push({ name: "", run: null });
  const placed = await host.place(await request(KIT));
  expect(surface.set.look().scenes).toEqual(["Kit (Looper)"]);
  for (const id of ["beat", "__proto__", "kick"]) {
    expect(placedOf(placed, id).notes).toContain(TAKEN);
  }
});

test("[H23] a Set without an empty scene is refused with the limit", async () => {
  const { host, surface, request } = await surfaceStudio({ edition: "Lite", sceneLimit: 1 });
  surface.set.scenes.push({ name: "Verse", run: null });
  await expect(host.place(await request(KIT))).rejects.toThrow(
    "Live Lite takes only 1 scenes in a Set.",
  );
});

test("[H23] the room of a Set is known once Live has refused, also after a restart of the importer", async () => {
  const dataFolder = await temporaryFolder();
  const studio = await surfaceStudio({ edition: "Lite", trackLimit: 2, deps: { dataFolder } });
  const { host, surface, request, otherHost } = studio;
  expect(await host.readRoom()).toBeNull();
  await host.place(await request(KIT));
  expect(await host.readRoom()).toEqual({ tracks: 0 });
  expect(JSON.parse(await readFile(join(dataFolder, "limits.json"), "utf8"))).toEqual({
    "Live 12.1.5 Lite": { tracks: 2 },
  });
  surface.set.tracks.pop();
  const later = otherHost({});
  expect(await later.readRoom()).toEqual({ tracks: 1 });
  // A Set with more tracks shows that the limit isn't one any more.
  for (const name of ["1", "2"]) surface.set.tracks.push({ name, mark: {}, file: null });
  expect(await later.readRoom()).toBeNull();
});

test("[H23] a limit is of one edition and version, and a damaged file forgets only the knowledge", async () => {
  const path = join(await temporaryFolder(), "limits.json");
  const limits = new LiveLimits(path);
  await limits.note(LITE, "tracks", 8);
  await limits.note(LITE, "scenes", 8);
  await limits.note({ live: "11.3.25", edition: null }, "tracks", 16);
  const again = new LiveLimits(path);
  expect(await again.read(LITE, "tracks")).toBe(8);
  expect(await again.read({ ...LITE, edition: "Suite" }, "tracks")).toBeUndefined();
  expect(await again.read({ ...LITE, live: "12.2" }, "tracks")).toBeUndefined();
  expect(await again.read({ live: "11.3.25", edition: null }, "tracks")).toBe(16);
  for (const text of [
    "",
    "[]",
    '{"Live 12.1.5 Lite": 8}',
    '{"Live 12.1.5 Lite": {"tracks": "8"}}',
  ]) {
    await writeFile(path, text);
    expect(await new LiveLimits(path).read(LITE, "tracks")).toBeUndefined();
  }
});
