import { readFile, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { clipIn, LOOP, openLive, rejection, slotOf } from "./open-live.ts";
import { soon } from "../../../../sim/soon.ts";

describe("a clip", () => {
  test("has the loop that was asked for, and the tempo that Live hears", async () => {
    const set = await openLive();
    await clipIn(set);
    expect(set.live.look().tracks[1]?.clips).toEqual([
      {
        scene: 0,
        name: "Beat",
        color: 0x3c3c3c,
        looping: true,
        warping: true,
        warpMode: 4,
        startMarker: 0,
        endMarker: 8,
        loopStart: 0,
        loopEnd: 8,
        filePath: set.wav,
        heardBpm: 120,
        markers: [{ seconds: 0, beats: 0 }],
      },
    ]);
  });

  test.each([
    ["near set", 100, 120],
    ["near set", 60, 60],
    ["near set", 240, 240],
    ["half", 120, 60],
    ["double", 120, 240],
    ["off", 120, 123.6],
    [97.3, 120, 97.3],
  ] as const)("is heard at another tempo: %s in a Set of %s BPM", async (guess, bpm, heard) => {
    const set = await openLive({ guess, firstTempoBpm: bpm, givesBigInts: false });
    const clip = await clipIn(set);
    const [first, hidden, ...more] = clip.warpMarkers;
    expect([first, more]).toEqual([{ sampleTime: 0, beatTime: 0 }, []]);
    expect(hidden?.beatTime).toBe(1 / 64);
    expect(60 / 64 / Number(hidden?.sampleTime)).toBeCloseTo(heard, 9);
    expect(clip.loopEnd).toBe(8);
  });

  test("is in seconds without warp and in beats with it, later than it was switched", async () => {
    const set = await openLive({ givesBigInts: false });
    const clip = await clipIn(set);
    clip.warping = false;
    expect(clip.warping).toBe(true);
    await soon(() => clip.warping).toBe(false);
    expect([clip.looping, clip.endMarker]).toEqual([false, 8]);
    clip.warping = true;
    await soon(() => clip.warping).toBe(true);
    expect(clip.endMarker).toBe(16);
  });

  test.each([true, false])(
    "without isWarped is warped as Live prefers: %s",
    async (warpsByItself) => {
      const set = await openLive({ warpsByItself });
      const slot = slotOf(await set.song.createAudioTrack());
      const clip = await slot.createAudioClip({ filePath: set.wav });
      expect([clip.warping, clip.looping]).toEqual([warpsByItself, warpsByItself]);
      expect(clip.warpMarkers).toHaveLength(warpsByItself ? 2 : 0);
      expect(clip.loopEnd).toBe(warpsByItself ? 8n : 4n);
    },
  );

  test("loops only with warp, which it turns on, not less than a quarter of a beat, nor in other warp modes", async () => {
    const set = await openLive();
    const short = { ...LOOP, endMarker: 0.2, loopEnd: 0.2 };
    expect(await rejection(clipIn(set, { loopSettings: short }))).toEqual([undefined]);
    expect(await rejection(clipIn(set, { isWarped: false }))).toEqual([undefined]);
    const clip = await clipIn(set);
    clip.warping = false;
    await soon(() => clip.warping).toBe(false);
    expect(clip.looping).toBe(false);
    clip.looping = true;
    expect([clip.warping, clip.looping]).toEqual([true, true]);
    expect(() => (clip.warpMode = 5)).toThrow("no warp mode");
  });

  test("needs an empty slot of an audio track, and a WAV", async () => {
    const set = await openLive();
    const { filePath } = await clipIn(set);
    const [midi, audio] = set.song.tracks;
    expect(await rejection(slotOf(midi).createAudioClip({ filePath }))).toEqual([undefined]);
    expect(await rejection(slotOf(audio).createAudioClip({ filePath }))).toEqual([undefined]);
    expect(await rejection(clipIn(set, { filePath: join(set.folder, "no.wav") }))).toEqual([
      undefined,
    ]);
  });
});

describe("bringing a file into the project", () => {
  test("copies it, under a name of its own", async () => {
    const { live, context, wav } = await openLive();
    const [first, second] = [
      await context.resources.importIntoProject(wav),
      await context.resources.importIntoProject(wav),
    ];
    expect(live.look().projectFiles).toEqual(["Beat-2.wav", "Beat.wav"]);
    expect([first, second]).toEqual(
      ["Beat.wav", "Beat-2.wav"].map((name) => join(live.projectFolder, "Samples/Imported", name)),
    );
    expect(await readFile(first)).toEqual(await readFile(wav));
  });

  test("refuses links, unsaved Sets and files that are not there", async () => {
    for (const options of [{}, { isSaved: false }]) {
      const { context, wav, folder } = await openLive(options);
      const link = join(folder, "link.wav");
      await symlink(wav, link);
      const path = options.isSaved === false ? wav : link;
      const { resources } = context;
      expect(await rejection(resources.importIntoProject(path))).toEqual([undefined]);
      expect(await rejection(resources.importIntoProject(`${wav}.no`))).toEqual([undefined]);
    }
  });

  test("gives a path as Windows has it", async () => {
    const { live, context, wav } = await openLive({ prefixesPaths: true });
    const path = await context.resources.importIntoProject(wav);
    expect(path.startsWith(`\\\\?\\${live.projectFolder}`)).toBe(true);
    expect(context.environment.tempDirectory).toBe(`\\\\?\\${live.tempFolder}`);
  });
});

test("the extension's folders are there, or only told, or not even that", async () => {
  const { live, context } = await openLive({ storage: "there", temp: "not made" });
  const { storageDirectory = "", tempDirectory = "" } = context.environment;
  expect((await stat(storageDirectory)).isDirectory()).toBe(true);
  expect(tempDirectory).toBe(live.tempFolder);
  await expect(stat(tempDirectory)).rejects.toThrow("ENOENT");
  const other = await openLive({ storage: "not told", temp: "not told" });
  expect(Object.values(other.context.environment)).toEqual([undefined, undefined]);
});
