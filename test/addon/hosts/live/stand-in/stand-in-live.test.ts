import { describe, expect, test } from "vitest";
import { clipIn, openLive, rejection, slotOf, trackOf } from "./open-live.ts";
import type { StandInOptions } from "./stand-in-live.ts";

describe("numbers", () => {
  test("come as BigInt where they are whole", async () => {
    const set = await openLive();
    const clip = await clipIn(set);
    expect([set.song.tempo, clip.loopEnd, clip.warpMode]).toEqual([120n, 8n, 4n]);
    set.song.tempo = 99.5;
    expect(set.song.tempo).toBe(99.5);
  });

  test("come as they are without that habit", async () => {
    const set = await openLive({ givesBigInts: false });
    expect(set.song.tempo).toBe(120);
  });

  test.each([true, false])("a color is a BigInt, or is none: %s", async (wantsBigIntColor) => {
    const clip = await clipIn(await openLive({ wantsBigIntColor, givesBigInts: false }));
    const [wrong, right] = wantsBigIntColor ? [0xff, 0xffn] : [0xffn, 0xff];
    expect(() => (clip.color = wrong)).toThrow(TypeError);
    clip.color = right;
    expect(clip.color).toBe(0xff);
  });

  test("a volume is a 32-bit float from 0 to 1", async () => {
    const { song } = await openLive();
    const track = await song.createAudioTrack();
    expect(await track.mixer.volume.getValue()).toBeCloseTo(0.85, 6);
    await track.mixer.volume.setValue(0.4);
    expect(await track.mixer.volume.getValue()).toBe(Math.fround(0.4));
    expect(await rejection(track.mixer.volume.setValue(1.01))).toEqual([undefined]);
  });
});

describe("what can't be done", () => {
  test.each([true, false])("is rejected, most often without a reason: %s", async (losesReasons) => {
    const { song } = await openLive({ losesReasons });
    const [reason] = await rejection(song.createScene(99));
    expect(reason === undefined).toBe(losesReasons);
  });
});

describe("parallel calls", () => {
  async function answersOf(options: StandInOptions) {
    const { song } = await openLive(options);
    const answered: number[] = [];
    const made = [0, 1, 2, 3].map(async (number) => {
      const track = await song.createAudioTrack();
      track.name = String(number);
      answered.push(number);
    });
    await Promise.all(made);
    return { answered, tracks: song.tracks.map(({ name }) => name) };
  }

  test("end up in another order, and answer in yet another, as the seed decides", async () => {
    const { answered, tracks } = await answersOf({ seed: 5 });
    expect(tracks).not.toEqual(["1-MIDI", "3", "2", "1", "0", "2-Audio"]);
    expect(answered).not.toEqual([0, 1, 2, 3]);
    expect(await answersOf({ seed: 5 })).toEqual({ answered, tracks });
    expect(await answersOf({ seed: 6 })).not.toEqual({ answered, tracks });
  });

  test("a new track is right of the selected one", async () => {
    const { live, song } = await openLive({ selectedTrack: 0 });
    await song.createAudioTrack();
    expect(live.look().tracks.map(({ name }) => name)).toEqual(["1-MIDI", "3-Audio", "2-Audio"]);
  });
});

describe("objects", () => {
  test("are new ones on each read, with new handles that say the same", async () => {
    const { song } = await openLive();
    const [first, second] = [song.tracks[0], song.tracks[0]];
    expect(first).not.toBe(second);
    expect(first?.handle).not.toBe(second?.handle);
    expect(first?.handle).toEqual(second?.handle);
    expect(first?.handle).not.toEqual(song.tracks[1]?.handle);
  });

  test("throw once their Live object was deleted", async () => {
    const set = await openLive();
    const clip = await clipIn(set);
    const track = trackOf(set);
    const slot = slotOf(track);
    await set.song.deleteTrack(track);
    expect(() => track.name).toThrow("stale");
    expect(() => track.mixer).toThrow("stale");
    expect(() => slot.clip).toThrow("stale");
    expect(() => clip.color).toThrow("stale");
    expect(() => (clip.name = "Kick")).toThrow("stale");
    expect(await rejection(slot.deleteClip())).toEqual([undefined]);
    expect(await rejection(set.song.deleteTrack(track))).toEqual([undefined]);
  });
});

describe("undo steps", () => {
  test("are one for all that starts in a transaction, and not for what follows from it", async () => {
    const { live, context, song } = await openLive({ shuffles: false });
    const before = song.scenes.length;
    await context.withinTransaction(() => {
      const made = [song.createScene(-1), song.createScene(-1)] as const;
      expect(song.scenes).toHaveLength(before);
      return Promise.all(made.map(async (scene) => ((await scene).name = "Kit")));
    });
    expect(live.look().undoSteps).toEqual([
      ["createScene", "createScene"],
      ["scene.name = Kit"],
      ["scene.name = Kit"],
    ]);
  });
});
