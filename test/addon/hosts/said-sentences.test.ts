import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DawprojectHost } from "../../../addon/hosts/dawproject/dawproject-host.ts";
import { LiveSetHost } from "../../../addon/hosts/live-set/live-set-host.ts";
import { FolderHost } from "../../../addon/hosts/folder/folder-host.ts";
import { PreviewHost } from "../../../addon/hosts/preview/preview-host.ts";
import type { PreviewFaults } from "../../../addon/hosts/preview/preview-faults.ts";
import { findRunSentences } from "../../../core/messages/translate-run.ts";
import {
  layoutOf,
  LOOP,
  ONE_SHOT,
  GUESSED,
  placeRequest,
} from "../../contracts/host/host-contract.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { KIT, type KitSound, liveStudio, type StudioOptions } from "./live-studio.ts";
import { filesIn } from "./with-files.ts";
import { unknownSentences } from "./unknown-sentences.ts";

const ALL = layoutOf([LOOP, ONE_SHOT, { ...GUESSED, gainDb: 9 }]);

/** A sound whose file is half as long again as its beats. */
function lengthened(sound: KitSound): KitSound {
  return { ...sound, seconds: sound.seconds * 1.5 };
}

test.each<StudioOptions>([
  {},
  { sounds: KIT.map(lengthened), correctsTempo: true },
  { guess: 90, correctsTempo: true },
  { guess: 90, refusesLoopSettings: true },
  { isSaved: false },
  { occupiedTracks: [1] },
  ...[
    "createScene",
    "createAudioTrack",
    "createAudioClip",
    "volume",
    "name",
    "tempo",
    "import",
  ].flatMap((call) => [
    { failsOnce: new RegExp(call, "i") },
    { failsAlways: new RegExp(call, "i"), correctsTempo: true, guess: 90 },
    { failsAlways: new RegExp(`${call}|delete`, "i") },
  ]),
])("[N28] everything that Live's extension reports has a code: %j", async (options) => {
  const studio = await liveStudio(options);
  const tracks = await studio.import({ sessionTempoBpm: 93 }).then(
    (outcome) => outcome.tracks,
    (error: Error) => [{ error: error.message }],
  );
  expect(unknownSentences(tracks)).toEqual([]);
});

test.each<PreviewFaults>([
  {},
  { failScene: true },
  { failTempo: true },
  { failSounds: ["1"] },
  { failSounds: ["1"], failRemoval: true },
])("[N28] everything that the preview reports has a code: %j", async (faults) => {
  const path = join(await temporaryFolder(), "preview-session.json");
  const host = new PreviewHost(path, { faults });
  for (const reuseTracks of [false, true]) {
    const request = await placeRequest(ALL, { reuseTracks, sessionTempoBpm: 93 });
    const placed = await host.place(request).catch((error: Error) => [{ error: error.message }]);
    expect(unknownSentences(placed)).toEqual([]);
  }
});

test("[N28] everything that the other hosts report has a code", async () => {
  for (const host of [new FolderHost(), new DawprojectHost(), new LiveSetHost()]) {
    const files = await filesIn(await temporaryFolder(), ALL);
    const request = await placeRequest(ALL, { files });
    const [first = "", second = ""] = files.values();
    await writeFile(first, "This is no WAV.");
    await rm(second);
    const placed = await host.place(request).catch((error: Error) => [{ error: error.message }]);
    expect(placed.length).toBeGreaterThan(0);
    expect(unknownSentences(placed)).toEqual([]);
  }
  expect(findRunSentences("The moon is full.")).toBeUndefined();
});
