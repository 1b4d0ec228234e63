import { expect, test } from "vitest";
import { describeInBrowser, useBrowser } from "../panel/panel-browser.ts";
import { madeOf, makeClicks, type MadeSound, addPlayback, renderEdit } from "./playback-page.ts";
import { PlayerPage } from "./player-page.ts";
import { soon } from "../../sim/soon.ts";

const browser = useBrowser();

const KIT = [
  makeClicks({ id: "four", bpm: 120, beats: 4 }),
  makeClicks({ id: "three and a half", bpm: 100, beats: 3.5 }),
];

/** Position of a scene, and of the sound without beats in its file. */
interface Where {
  readonly beats: number;
  readonly guessed: number;
}

async function openPlayer(sounds: readonly MadeSound[]): Promise<PlayerPage> {
  return PlayerPage.open(await browser.open("about:blank"), sounds);
}

describeInBrowser("the player of scenes (needs Chromium)", () => {
  test("[V9] plays, changes tempo on the beat, mutes and stops", async () => {
    const guessed = madeOf({ id: "guessed", looping: true }, new Float64Array(441_000), 44_100);
    const player = await openPlayer([...KIT, guessed]);
    expect(await player.beats()).toBeNull();
    await player.click(`player.play("kit", tracks, 120)`);
    await soon(() => player.view()).toMatchObject({ sceneKey: "kit", isLoading: false });
    await soon(() => player.beats()).toBeGreaterThan(1);
    const [before, after] = await player.page.evaluate<[Where, Where]>(`(() => {
      const where = () => ({ beats: player.positionBeats(), guessed: player.filePosition("guessed") });
      const before = where();
      player.setTempo(240);
      return [before, where()];
    })()`);
    // What is heard is a little behind what is decided; at the new tempo that is as little.
    expect(Math.abs(after.beats - before.beats)).toBeLessThan(1);
    expect(Math.abs(after.guessed - before.guessed)).toBeLessThan(0.1);
    expect((await player.view()).tempoBpm).toBe(240);
    await player.click(`player.setMuted("kit", "four", true); player.setSolo("kit", "four", true)`);
    await soon(() => player.beats()).toBeGreaterThan(after.beats + 4);
    expect(await player.page.evaluate(`player.filePosition("four")`)).toBeGreaterThan(0);
    await player.click("player.stop()");
    expect(await player.view()).toEqual({
      sceneKey: null,
      isLoading: false,
      tempoBpm: 240,
      errors: {},
    });
    expect(await player.beats()).toBeNull();
  });

  test("[V9] a second click while loading starts nothing, and another scene takes over", async () => {
    const player = await openPlayer(KIT);
    await player.hold();
    await player.click(`player.play("kit", tracks, 120)`);
    await player.click(`player.play("kit", tracks, 120)`);
    expect(await player.fetched()).toEqual(["kit/four/1", "kit/three and a half/1"]);
    expect(await player.view()).toMatchObject({ sceneKey: "kit", isLoading: true });
    expect(await player.beats()).toBeNull();
    await player.click(`player.play("other", tracks.slice(0, 1), 90)`);
    await player.page.evaluate("release()");
    const other = { sceneKey: "other", isLoading: false, tempoBpm: 90 };
    await soon(() => player.view()).toMatchObject(other);
    await soon(() => player.beats()).toBeGreaterThan(0);
    expect(await player.view()).toMatchObject(other);
  });

  test("[V9] a scene stopped while loading stays stopped", async () => {
    const player = await openPlayer(KIT);
    await player.hold();
    await player.click(`globalThis.played = player.play("kit", tracks, 120)`);
    await player.click("player.stop()");
    await player.page.evaluate("release(), played");
    expect(await player.view()).toMatchObject({ sceneKey: null, isLoading: false });
    expect(await player.beats()).toBeNull();
  });

  test("[V9] says which sounds can't be fetched or decoded, and plays the rest", async () => {
    const broken = madeOf({ id: "broken" }, new Float64Array(10), 44_100);
    const noSuch = madeOf({ id: "no such" }, new Float64Array(10), 44_100);
    const player = await openPlayer([...KIT, { ...broken, wav: btoa("no sound") }, noSuch]);
    await player.page.evaluate(`delete wavs["no such"]`);
    await player.click(`player.play("kit", tracks, 120)`);
    await soon(() => player.beats()).toBeGreaterThan(0);
    expect((await player.view()).errors).toEqual({
      broken: "This file can’t be played here.",
      "no such": "There is no such file.",
    });
  });

  test("[V9] fetches a sound once, and again when its file has changed", async () => {
    const player = await openPlayer(KIT.slice(0, 1));
    const play = async (): Promise<void> => {
      await player.click(`player.play("kit", tracks, 120)`);
      await soon(() => player.beats()).toBeGreaterThan(0);
      await player.click("player.stop()");
    };
    await play();
    await play();
    expect(await player.fetched()).toEqual(["kit/four/1"]);
    expect(
      await player.page.evaluate(
        `player.sounds.outline("kit", "four", "1", 1000).then((all) => all.length)`,
      ),
    ).toBe(160);
    expect(await player.fetched()).toHaveLength(1);
    await player.page.evaluate(`tracks = [{ ...tracks[0], revision: "2" }]`);
    await play();
    expect(await player.fetched()).toEqual(["kit/four/1", "kit/four/2"]);
  });

  test("[V9] an edit comes in on the beat, while the rest plays on", async () => {
    const tone = madeOf(
      { id: "tone", looping: true, loop_beats: 4, tempo_bpm: 120 },
      new Float64Array(96_000).fill(0.5),
      48_000,
    );
    const drum = makeClicks({ id: "drum", bpm: 120, beats: 4 });
    const player = await openPlayer([tone, drum]);
    await player.listen();
    await player.click(`player.setMuted("kit", "drum", true); player.play("kit", tracks, 120)`);
    await soon(() => player.loudness()).toBeCloseTo(0.5, 2);
    const before = (await player.beats()) ?? Infinity;
    await player.page.evaluate(
      `player.edit("kit", [{ ...tracks[0], gain_db: -20 * Math.log10(2) }, { ...tracks[1], revision: "2" }])`,
    );
    await soon(() => player.loudness()).toBeCloseTo(0.25, 2);
    expect(await player.beats()).toBeGreaterThan(before);
    expect(await player.fetched()).toEqual(["kit/tone/1", "kit/drum/1", "kit/drum/2"]);
    // Taken out, put back, and changed while the edit before is fetched: the last word counts.
    await player.page.evaluate(`player.edit("kit", [tracks[1]])`);
    await soon(() => player.loudness()).toBe(0);
    await player.page.evaluate(
      `Promise.all([player.edit("kit", tracks), player.edit("kit", [{ ...tracks[0], gain_db: -20 }])])`,
    );
    await soon(() => player.loudness()).toBeCloseTo(0.05, 3);
    await player.page.evaluate(`player.edit("another", tracks)`);
    expect(await player.view()).toMatchObject({ sceneKey: "kit", errors: {} });
  });

  test("[N25] the volume changes what is heard at once and without a click, and holds for the next scene", async () => {
    const tone = madeOf({ id: "tone", looping: true }, new Float64Array(96_000).fill(0.5), 48_000);
    const player = await openPlayer([tone]);
    await player.listen();
    await player.page.evaluate("player.setVolume(0.5)");
    await player.click(`player.play("kit", tracks, 120)`);
    await soon(() => player.loudness()).toBeCloseTo(0.125, 3);
    await player.page.evaluate("player.setVolume(1)");
    await soon(() => player.loudness()).toBeCloseTo(0.5, 2);
    await player.page.evaluate("player.setVolume(0)");
    await soon(() => player.loudness()).toBeCloseTo(0, 3);
    for (const [asked, set] of [
      ["7", 1],
      ["-1", 0],
      ["NaN", 0],
    ] as const) {
      await player.page.evaluate(`player.setVolume(${asked})`);
      expect(await player.page.evaluate("player.view.volume")).toBe(set);
    }
    await player.page.evaluate("player.setVolume(0.1)");
    await player.click(`player.play("other", tracks, 120, { at: "once", soundsOf: "kit" })`);
    await soon(() => player.loudness()).toBeCloseTo(0.005, 3);
  });

  test("[V9] changes from an edit come in without a click, also within a pass", async () => {
    const tone = madeOf(
      { id: "tone", looping: true, loop_beats: 8, tempo_bpm: 120 },
      new Float64Array(192_000).fill(0.5),
      48_000,
    );
    const page = await browser.open("about:blank");
    await addPlayback(page);
    const { peaks, steepest } = await renderEdit(page, {
      tracks: [tone.track],
      wavs: { tone: tone.wav },
      edited: [{ ...tone.track, gain_db: -20 * Math.log10(2) }],
    });
    expect(peaks[0]).toBeCloseTo(0.5, 3);
    expect(peaks[1]).toBeCloseTo(0.25, 3);
    expect(steepest).toBeLessThan(0.01);
  });

  test("[V9] parts without beats keep their position in the file through tempo changes and edits", async () => {
    const guessed = madeOf({ id: "guessed", looping: true }, new Float64Array(480_000), 8000);
    const player = await openPlayer([guessed]);
    await player.click(`player.play("kit", tracks, 60)`);
    await soon(() => player.page.evaluate(`player.filePosition("guessed")`)).toBeGreaterThan(1);
    const [before, after] = await player.page.evaluate<[number, number]>(`(async () => {
      player.setTempo(999);
      const before = player.filePosition("guessed");
      await player.edit("kit", [{ ...tracks[0], gain_db: -6 }]);
      return [before, player.filePosition("guessed")];
    })()`);
    expect(after - before).toBeGreaterThanOrEqual(0);
    expect(after - before).toBeLessThan(0.5);
  });

  test("[V9] an edit fetches no sound again whose file is the same, however large the scene is", async () => {
    // Both together are more than is kept of what was decoded.
    const long = (id: string) => madeOf({ id }, new Float64Array(2_200_000), 8000);
    const player = await openPlayer([long("low"), long("high")]);
    await player.click(`player.play("kit", tracks, 120)`);
    await soon(() => player.view()).toMatchObject({ isLoading: false });
    const once = ["kit/low/1", "kit/high/1"];
    expect(await player.fetched()).toEqual(once);
    await player.page.evaluate(
      `player.edit("kit", [{ ...tracks[0], gain_db: -6 }, { ...tracks[1], gain_db: -6 }])`,
    );
    expect(await player.fetched()).toEqual(once);
  });

  test("[V9] plays an edit made while the scene is loading", async () => {
    const tone = madeOf({ id: "tone", looping: true }, new Float64Array(96_000).fill(0.5), 48_000);
    const player = await openPlayer([tone]);
    await player.listen();
    await player.hold();
    await player.click(`player.play("kit", tracks, 120)`);
    await player.page.evaluate(`player.edit("kit", [{ ...tracks[0], gain_db: -20 }]), release()`);
    await soon(() => player.loudness()).toBeCloseTo(0.05, 3);
  });

  test("[V9] a scene of one-shots stops at its end", async () => {
    const kick = madeOf({ id: "kick" }, new Float64Array(4800).fill(0.2), 48_000);
    const player = await openPlayer([kick]);
    await player.page.evaluate(
      "globalThis.seen = []; player.subscribe(() => seen.push([player.view.sceneKey, player.view.isLoading]))",
    );
    await player.click(`player.play("kit", tracks, 120)`);
    await soon(() => player.page.evaluate("seen.at(-1)")).toEqual([null, false]);
    expect(await player.page.evaluate("seen")).toContainEqual(["kit", false]);
  });

  test("[V9] a closed page is silent", async () => {
    const player = await openPlayer(KIT);
    await player.click(`player.play("kit", tracks, 120)`);
    await soon(() => player.beats()).toBeGreaterThan(0);
    await player.page.evaluate("closing.abort()");
    expect(await player.view()).toMatchObject({ sceneKey: null });
  });
});
