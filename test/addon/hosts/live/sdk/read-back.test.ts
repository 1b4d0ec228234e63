import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { LiveClip } from "../../../../../addon/hosts/live/sdk/live-api.ts";
import { LiveSound } from "../../../../../addon/hosts/live/sdk/live-sound.ts";
import { readBack, uncheckedOf } from "../../../../../addon/hosts/live/sdk/read-back.ts";
import { compareSettings } from "../../../../../core/report/compare-settings.ts";
import { GUESSED, LOOP, ONE_SHOT } from "../../../../contracts/host/host-contract.ts";
import { clipIn, openLive, trackOf } from "../stand-in/open-live.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

/** Reads back a clip in the second track of a stand-in Live, with values of its own. */
async function readOf(more: object, path = "/sounds/Beat.wav") {
  const set = await openLive();
  const clip = new Proxy(await clipIn(set), {
    get: (real, name) => Reflect.get(name in more ? more : real, name) as unknown,
  });
  const sound = new LiveSound(LOOP, path);
  const track = trackOf(set);
  const slots = [{ clip }];
  const withClip = new Proxy(track, {
    get: (real, name) => (name === "clipSlots" ? slots : Reflect.get(real, name)) as unknown,
  });
  sound.putOn(withClip, () => 0);
  const held = await readBack(set.song, sound);
  if (held === undefined) throw new Error("Nothing was read.");
  return held;
}

const UNTOLD = {
  get(): never {
    throw new Error("Live doesn't tell.");
  },
};

function untold(...names: readonly (keyof LiveClip)[]): object {
  return Object.defineProperties({}, Object.fromEntries(names.map((name) => [name, UNTOLD])));
}

describe("the file that a clip plays", () => {
  test("[H4] is the one that Live was given, whatever links lead to it", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "real"));
    await symlink(join(folder, "real"), join(folder, "linked"));
    await writeFile(join(folder, "real", "Beat.wav"), "");
    const filePath = join(folder, "real", "Beat.wav");
    const held = await readOf({ filePath }, join(folder, "linked", "Beat.wav"));
    expect(held.file).toEqual({ asked: filePath, got: filePath });
  });

  test("[H4] is a difference where it is another one, also of the same name", async () => {
    const held = await readOf({ filePath: "\\\\?\\/old/Beat.wav" });
    expect(held.file).toEqual({ asked: "/sounds/Beat.wav", got: "/old/Beat.wav" });
    const settings = compareSettings(LOOP, held);
    expect(settings.filter(({ setting }) => setting === "file")).toEqual([
      { setting: "file", asked: "Beat.wav", got: "Beat.wav in another folder" },
    ]);
  });
});

describe("what was not read", () => {
  const always = ["track color", "scene color", "pitch", "arming", "input"];

  test.each<[readonly (keyof LiveClip)[], readonly string[]]>([
    [[], []],
    [["filePath"], ["file"]],
    [["startMarker"], ["start"]],
    [["warpMarkers"], ["start", "tempo", "warp markers", "loop start"]],
    [["loopStart"], ["loop start", "loop end"]],
    [
      ["name", "color", "warpMode"],
      ["clip name", "clip color", "warp mode"],
    ],
  ])("[H4] is named in words: %j", async (names, words) => {
    expect(uncheckedOf(LOOP, await readOf(untold(...names)))).toEqual([...always, ...words]);
  });

  test("[H4] is no marker of a one-shot, and none of a clip that Live didn't warp", async () => {
    const none = { warpMode: null, loopEndBeats: null, tempoBpm: null };
    const { warpMarkers: _, loopStartSeconds: __, ...read } = await readOf({});
    const held = { ...read, ...none, warping: false, looping: false };
    for (const plan of [ONE_SHOT, LOOP, GUESSED]) expect(uncheckedOf(plan, held)).toEqual(always);
  });
});
