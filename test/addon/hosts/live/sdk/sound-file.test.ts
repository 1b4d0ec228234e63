import { readdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { LiveContext } from "../../../../../addon/hosts/live/sdk/live-api.ts";
import { LiveSound } from "../../../../../addon/hosts/live/sdk/live-sound.ts";
import { bringFile, tryGainedCopy } from "../../../../../addon/hosts/live/sdk/sound-file.ts";
import { LOOP, layoutOf, placeRequest } from "../../../../contracts/host/host-contract.ts";
import { smallWav } from "../../../../wav-bytes.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

/** A sound with its file, and a Live that does this with files. */
async function setUp(importIntoProject: (path: string) => Promise<string>, file = smallWav()) {
  const path = join(await temporaryFolder(), "Beat.wav");
  await writeFile(path, file);
  const { journal, signal } = await placeRequest(layoutOf([LOOP]));
  const live: Partial<LiveContext> = { resources: { importIntoProject } };
  const sound = new LiveSound(LOOP, path);
  return { path, sound, run: { live: live as LiveContext, journal, signal } };
}

const COPIES = async () => String.raw`\\?\C:\Set Project\Beat.wav`;
const REFUSES = () => Promise.reject(undefined);

test("[H3] the clip plays the project's copy, by its plain path", async () => {
  const { run, sound } = await setUp(COPIES);
  const path = String.raw`C:\Set Project\Beat.wav`;
  expect(await bringFile(run, sound)).toEqual({ path, gainDb: 0, kind: "in project" });
  expect(sound.notes).toEqual([]);
});

test("[H3] Live is given a path without links", async () => {
  const given: string[] = [];
  const { run, path } = await setUp(COPIES);
  const link = join(dirname(path), "link");
  await symlink(dirname(path), link);
  run.live.resources.importIntoProject = (asked) => {
    given.push(asked);
    return COPIES();
  };
  await bringFile(run, new LiveSound(LOOP, join(link, "Beat.wav")));
  expect(given).toEqual([path]);
});

describe("a file that Live does not copy", () => {
  test("[H3] is played in place, and the notes say so", async () => {
    const { run, sound, path } = await setUp(REFUSES);
    expect(await bringFile(run, sound)).toEqual({ path, gainDb: 0, kind: "importer's" });
    expect(sound.notes).toEqual([
      "Tested couldn't take the file of Beat into the project.",
      "Live plays its file from the sounds folder.",
    ]);
  });

  test("[F5] is the importer's also where Live takes it as it lies, however it spells its path", async () => {
    const { run, sound } = await setUp(async (path) => path.toUpperCase().normalize("NFD"));
    expect(await bringFile(run, sound)).toMatchObject({ kind: "importer's" });
  });
});

describe("a gained copy", () => {
  test("[H5] is deleted once Live has copied it", async () => {
    const { run, sound, path } = await setUp(COPIES);
    const copy = await tryGainedCopy(run, sound, -24);
    expect(await readdir(dirname(path))).toEqual(["Beat -24 dB.wav", "Beat.wav"]);
    expect(await bringFile(run, sound, copy)).toMatchObject({ gainDb: -24, kind: "in project" });
    expect(await readdir(dirname(path))).toEqual(["Beat.wav"]);
  });

  test("[H5] stays where Live couldn't take it, and a note says so without its place", async () => {
    const { run, sound, path } = await setUp(REFUSES);
    const copy = await tryGainedCopy(run, sound, -24);
    expect(await bringFile(run, sound, copy)).toMatchObject({ gainDb: -24, kind: "gained copy" });
    expect(sound.notes[1]).toBe("Live plays its file from the sounds folder.");
    expect(await readdir(dirname(path))).toEqual(["Beat -24 dB.wav", "Beat.wav"]);
  });

  test("[H5] that can't be made is reported with the reason", async () => {
    const { run, sound } = await setUp(COPIES, Buffer.from("RIFX"));
    expect(await tryGainedCopy(run, sound, 12)).toBeUndefined();
    expect(sound.notes).toEqual([
      "Couldn't make a copy with a gain of +12 dB. Beat.wav: not a WAV file. Export it as WAV.",
    ]);
  });
});
