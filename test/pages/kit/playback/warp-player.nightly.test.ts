import { expect, test } from "vitest";
import { ENGLISH } from "../../../../core/messages/en/english.ts";
import { describeInBrowser, useBrowser } from "../../panel/panel-browser.ts";
import { madeOf, makeClicks, type MadeSound } from "../../preview/playback-page.ts";
import { serveWarpPage, type WarpPageOptions, WarpPlayer } from "./warp-page.ts";
import { soon } from "../../../sim/soon.ts";

const browser = useBrowser();
const PAGE_HZ = 48_000;

/** A loop that is warped where its tempo is not the scene's. */
function loopOf(id: string, bpm: number, beats: number): MadeSound {
  const made = makeClicks({ id, bpm, beats });
  return { ...made, track: { ...made.track, warp_mode: "complex" } };
}

const GROOVE = loopOf("groove", 120, 4);
const BASS = loopOf("bass", 120, 8);
const KICK = madeOf({ id: "kick" }, new Float64Array(4410).fill(0.2), 44_100);

async function openPlayer(
  sounds: readonly MadeSound[],
  options: WarpPageOptions = {},
): Promise<WarpPlayer> {
  const isForeign = options.policy !== undefined;
  return WarpPlayer.open(await browser.open(await serveWarpPage(options), { isForeign }), sounds);
}

/** Frames of a pass at the page's rate. */
function passFrames(beats: number, bpm: number): number {
  return Math.round((beats * 60 * PAGE_HZ) / bpm);
}

describeInBrowser("the player of scenes at another tempo (needs Chromium)", () => {
  test("[V10] plays rendered passes at their own speed, and says that it is an approximation", async () => {
    const player = await openPlayer([GROOVE, KICK]);
    await player.click(`await player.play("kit", [tracks.groove, tracks.kick], 100)`);
    await soon(() => player.view()).toMatchObject({
      sceneKey: "kit",
      isLoading: false,
      mode: "warped",
      rendering: [],
      notice: ENGLISH["playback.approximation"],
    });
    const [groove, kick] = await Promise.all([
      player.started().then((all) => all.filter(({ frames }) => frames === passFrames(4, 100))),
      player.started().then((all) => all.filter(({ frames }) => frames === 4800)),
    ]);
    expect(groove.length).toBeGreaterThan(0);
    expect(groove.every(({ rate }) => rate === 1)).toBe(true);
    expect(kick).toMatchObject([{ rate: 1 }]);
  });

  test("[V10] at their own tempo, loops need no module", async () => {
    const player = await openPlayer([GROOVE], { hasModule: false });
    await player.click(`await player.play("kit", [tracks.groove], 120)`);
    expect(await player.view()).toMatchObject({ mode: "plain", notice: null });
  });

  test("[N10] the module is loaded when a loop first needs it, not before", async () => {
    let loads = 0;
    const player = await openPlayer([GROOVE], { onModule: () => (loads += 1) });
    await player.click(`await player.play("kit", [tracks.groove], 120)`);
    expect(loads).toBe(0);
    await player.page.evaluate("player.setTempo(100)");
    await soon(() => player.view()).toMatchObject({ mode: "warped", rendering: [] });
    expect(loads).toBeGreaterThan(0);
  });

  test.each<[string, WarpPageOptions]>([
    [
      "whose policy names no script",
      { policy: (own) => own.replace(/ 'wasm-unsafe-eval' [^;]*/, "") },
    ],
    [
      "whose policy has no WebAssembly",
      { policy: (own) => own.replace(" 'wasm-unsafe-eval'", "") },
    ],
    ["whose server has no module", { hasModule: false }],
  ])("[V11] a page %s plays repitched and says so", async (_, options) => {
    const player = await openPlayer([GROOVE], options);
    await player.click(`await player.play("kit", [tracks.groove], 100)`);
    expect(await player.view()).toMatchObject({
      isLoading: false,
      mode: "repitched",
      notice: ENGLISH["playback.repitched"],
    });
    const [source] = await player.started();
    expect(source).toMatchObject({ frames: passFrames(4, 120) });
    expect(source?.rate).toBeCloseTo(100 / 120, 6);
    // It has been found out: the next scene doesn't wait.
    await player.click(`player.stop(); await player.play("kit", [tracks.groove], 90)`);
    expect(await player.view()).toMatchObject({ mode: "repitched" });
  });

  test("[V11] a loop that isn't rendered in time comes in on the beat", async () => {
    const player = await openPlayer([GROOVE, BASS]);
    await player.warm("kit", "groove", 110);
    await player.page.evaluate(`(() => {
      const render = OfflineAudioContext.prototype.startRendering;
      globalThis.held = new Promise((resolve) => { globalThis.release = resolve; });
      OfflineAudioContext.prototype.startRendering = async function () {
        // The bass is the longer one.
        if (this.length > 200_000) await held;
        return render.call(this);
      };
    })()`);
    await player.click(`await player.play("kit", [tracks.groove, tracks.bass], 110)`);
    expect(await player.view()).toMatchObject({
      isLoading: false,
      mode: "warped",
      rendering: ["bass"],
    });
    const bassFrames = passFrames(8, 110);
    expect((await player.started()).some(({ frames }) => frames === bassFrames)).toBe(false);
    await player.page.evaluate("release()");
    await soon(() => player.view()).toMatchObject({ rendering: [] });
    const all = await player.started();
    const bass = all.find(({ frames }) => frames === bassFrames);
    expect(bass?.rate).toBe(1);
    // Both have the same beat 0: whole passes apart.
    const origin = Math.min(...all.map(({ startSeconds }) => startSeconds));
    await soon(
      async () => (await player.started()).filter(({ frames }) => frames === bassFrames).length,
    ).toBeGreaterThan(1);
    const next = (await player.started()).filter(({ frames }) => frames === bassFrames).at(1);
    const passes = ((next?.startSeconds ?? 0) - origin) / (480 / 110);
    expect(passes).toBeCloseTo(Math.round(passes), 6);
  });

  test("[V9][V11] a new tempo keeps the beat, and is heard when the loops are warped to it", async () => {
    const player = await openPlayer([GROOVE]);
    await player.click(`await player.play("kit", [tracks.groove], 110)`);
    await soon(() => player.page.evaluate("player.positionBeats()")).toBeGreaterThan(0.5);
    const before = await player.page.evaluate<number>("player.positionBeats()");
    await player.page.evaluate("for (const bpm of [111, 112, 113, 130]) player.setTempo(bpm)");
    expect(await player.view()).toMatchObject({ tempoBpm: 130, isLoading: false });
    await soon(() => player.view()).toMatchObject({ rendering: [] });
    const heard = (): Promise<readonly number[]> =>
      player.started().then((all) => all.map(({ frames }) => frames));
    await soon(heard).toContain(passFrames(4, 130));
    expect(await heard()).not.toContain(passFrames(4, 112));
    expect(await player.page.evaluate<number>("player.positionBeats()")).toBeGreaterThan(before);
  });

  test("[V13] another scene takes over exactly on the next bar", async () => {
    const player = await openPlayer([GROOVE, BASS]);
    await player.warm("two", "bass", 100);
    await player.click(`await player.play("one", [tracks.groove], 120)`);
    const [first] = await player.started();
    const origin = first?.startSeconds ?? Number.NaN;
    await player.click(`player.play("two", [tracks.bass], 100);
      const { sceneKey, nextKey, tempoBpm } = player.view; globalThis.meanwhile = { sceneKey, nextKey, tempoBpm };`);
    const meanwhile = { sceneKey: "one", nextKey: "two", tempoBpm: 120 };
    expect(await player.page.evaluate("meanwhile")).toEqual(meanwhile);
    await soon(() => player.view()).toMatchObject({
      sceneKey: "two",
      nextKey: null,
      tempoBpm: 100,
    });
    const all = await player.started();
    const two = all.find(({ frames }) => frames === passFrames(8, 100));
    const bars = ((two?.startSeconds ?? 0) - origin) / 2;
    expect(bars).toBeGreaterThan(0.5);
    expect(bars).toBeCloseTo(Math.round(bars), 9);
    const ends = all.filter(({ frames }) => frames === passFrames(4, 120));
    expect(Math.max(...ends.map(({ stopSeconds }) => stopSeconds ?? Infinity))).toBeCloseTo(
      two?.startSeconds ?? 0,
      9,
    );
  });

  test("[V13] a bar of three beats, another choice meanwhile, and Stop", async () => {
    const player = await openPlayer([GROOVE, BASS]);
    await player.warm("three", "bass", 90);
    await player.click(`await player.play("one", [tracks.groove], 120, { beatsPerBar: 3 })`);
    const [first] = await player.started();
    await player.click(`player.play("two", [tracks.bass], 120); player.play("three", [tracks.bass], 90);
      globalThis.meanwhile = [player.view.sceneKey, player.view.nextKey];`);
    expect(await player.page.evaluate("meanwhile")).toEqual(["one", "three"]);
    await soon(() => player.view()).toMatchObject({ sceneKey: "three" });
    const all = await player.started();
    // Of the one that was replaced, nothing was heard.
    expect(all.some(({ frames }) => frames === passFrames(8, 120))).toBe(false);
    const bars =
      ((all.find(({ frames }) => frames === passFrames(8, 90))?.startSeconds ?? 0) -
        (first?.startSeconds ?? 0)) /
      1.5;
    expect(bars).toBeCloseTo(Math.round(bars), 9);
    await player.click(`await player.play("one", [tracks.groove], 120); player.stop()`);
    expect(await player.view()).toMatchObject({ sceneKey: null, nextKey: null });
  });

  test("[V13] Stop just before the bar silences both scenes", async () => {
    const player = await openPlayer([GROOVE, BASS]);
    await player.click(`await player.play("one", [tracks.groove], 120)`);
    await player.click(`await player.play("two", [tracks.bass], 120)`);
    // The next one is on its way, and the bar hasn't come.
    await player.page.evaluate(`new Promise((resolve) => {
      const look = () => {
        if (player.view.sceneKey !== "two") return;
        player.stop();
        globalThis.stoppedAt = Math.max(...started.map(({ stopSeconds }) => stopSeconds));
        unsubscribe();
        resolve();
      };
      const unsubscribe = player.subscribe(look);
    })`);
    const bar = (await player.started()).find(({ frames }) => frames === passFrames(8, 120));
    expect(await player.page.evaluate<number>("stoppedAt")).toBeLessThan(bar?.startSeconds ?? 0);
  });

  test("[V14] a clip is heard alone, at once and at the tempo of now", async () => {
    const player = await openPlayer([GROOVE, BASS, KICK]);
    await player.page.evaluate(`(() => {
      globalThis.tempo = 100;
      globalThis.clips = new ClipPlayer({
        player,
        clipOf: (key) => (tracks[key] === undefined ? null : { sceneKey: "package", track: tracks[key] }),
        tempoNow: () => tempo,
      });
    })()`);
    const playing = (): Promise<readonly string[]> =>
      player.page.evaluate(`["groove", "bass", "kick"].filter((key) => clips.isPlaying(key))`);
    await player.click(`await clips.toggle("groove")`);
    expect(await playing()).toEqual(["groove"]);
    expect(await player.view()).toMatchObject({ tempoBpm: 100, mode: "warped" });
    await soon(() => player.page.evaluate(`clips.position("groove")`)).toBeGreaterThan(0);
    await player.click(`await clips.toggle("bass")`);
    expect(await playing()).toEqual(["bass"]);
    expect(await player.view()).toMatchObject({ nextKey: null });
    await player.page.evaluate(`tempo = 90; clips.retune(["groove", "bass"])`);
    await soon(async () => (await player.started()).map(({ frames }) => frames)).toContain(
      passFrames(8, 90),
    );
    await player.click(`tempo = null; await clips.toggle("groove")`);
    expect(await player.view()).toMatchObject({ tempoBpm: 120, mode: "plain" });
    await player.click(`await clips.toggle("kick")`);
    await soon(playing).toEqual([]);
    await player.click(`await clips.toggle("groove"); await clips.toggle("groove")`);
    expect(await playing()).toEqual([]);
    expect(await player.page.evaluate(`clips.outline("bass").then((all) => all.length)`)).toBe(160);
  });

  test("[V14] a clip that can't be played says why", async () => {
    const player = await openPlayer([KICK]);
    await player.page.evaluate(`wavs.kick = btoa("no sound")`);
    await player.click(`const clips = new ClipPlayer({ player, clipOf: () => ({ sceneKey: "package", track: tracks.kick }), tempoNow: () => null });
      globalThis.failure = await clips.toggle("kick").then(() => "none", (error) => error.message);`);
    expect(await player.page.evaluate("failure")).toBe("This file can’t be played here.");
    expect(await player.view()).toMatchObject({ sceneKey: null });
  });
});
