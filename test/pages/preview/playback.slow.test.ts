import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { readPreviewScene } from "../../../cli/preview/read-preview-scene.ts";
import { describeInBrowser, useBrowser } from "../panel/panel-browser.ts";
import {
  type ClickOptions,
  madeOf,
  makeClicks,
  type MadeSound,
  addPlayback,
  renderAndListen,
  type RenderOptions,
} from "./playback-page.ts";
import { someOf } from "../../whole-forms.ts";

const browser = useBrowser();

const PACKAGES = join(import.meta.dirname, "../../../fixtures/packages");

async function openPage(): Promise<Page> {
  const page = await browser.open("about:blank");
  await addPlayback(page);
  return page;
}

function sceneOf(sounds: readonly MadeSound[]): Pick<RenderOptions, "tracks" | "wavs"> {
  return {
    tracks: sounds.map(({ track }) => track),
    wavs: Object.fromEntries(sounds.map(({ track, wav }) => [track.id, wav])),
  };
}

function at(bpm: number): Pick<RenderOptions, "tempi"> {
  return { tempi: [{ fromSeconds: 0, bpm }] };
}

/** Returns the times at which a loop's clicks must be heard, in seconds. */
function clicksOf({ beats }: Pick<ClickOptions, "beats">, bpm: number, seconds: number): number[] {
  const times: number[] = [];
  for (let pass = 0; (pass * beats * 60) / bpm < seconds; pass += 1) {
    for (let beat = 0; beat < beats; beat += 1) times.push(((pass * beats + beat) * 60) / bpm);
  }
  return beginningBefore(seconds, times);
}

/** Drops times at the very end, which may be cut off or not. */
function beginningBefore(seconds: number, times: readonly number[]): number[] {
  return times.filter((time) => time < seconds - 0.001);
}

/** The largest distance from what was expected; there must be as many. */
function largestError(heard: readonly number[], expected: readonly number[]): number {
  expect(heard).toHaveLength(expected.length);
  return Math.max(...heard.map((time, index) => Math.abs(time - (expected[index] ?? Infinity))));
}

describeInBrowser("playing a scene (needs Chromium)", () => {
  test.each(
    someOf<ClickOptions>(
      [
        { id: "of 126 BPM, as it is", bpm: 126, beats: 4 },
        { id: "of 174 BPM, slowed down", bpm: 174, beats: 3.5 },
        { id: "of 90 BPM at 8 kHz", bpm: 90, beats: 7.5, sampleRateHz: 8000 },
        { id: "of 133.33 BPM at 96 kHz", bpm: 133.33, beats: 6.5, sampleRateHz: 96_000 },
      ],
      1,
    ),
  )("[V9] after five minutes the loop $id is on its beat", async (loop) => {
    const page = await openPage();
    const seconds = 300;
    const { onsets } = await renderAndListen(page, {
      ...sceneOf([makeClicks(loop)]),
      ...at(126),
      seconds,
    });
    const expected = clicksOf(loop, 126, seconds);
    expect(expected.length).toBeGreaterThan(500);
    expect(largestError(beginningBefore(seconds, onsets), expected)).toBeLessThan(0.001);
    // What adds up would show at the end.
    const lastPasses = expected.length - 8;
    const late = largestError(
      beginningBefore(seconds, onsets).slice(lastPasses),
      expected.slice(lastPasses),
    );
    const early = largestError(onsets.slice(0, 8), expected.slice(0, 8));
    expect(late - early).toBeLessThan(0.0001);
  });

  test("[V9] mutes sounds, while the others keep their beat and gain", async () => {
    const page = await openPage();
    const loops: ClickOptions[] = [
      { id: "four", bpm: 100, beats: 4, gainDb: -6 },
      { id: "three and a half", bpm: 140, beats: 3.5, gainDb: 3 },
    ];
    const scene = { ...sceneOf(loops.map(makeClicks)), ...at(120), seconds: 60 };
    const [four, three] = await Promise.all(
      loops.map(({ id }) => renderAndListen(page, { ...scene, audible: [id], spans: [[0, 60]] })),
    );
    const errors = [four, three].map((heard, index) =>
      largestError(
        beginningBefore(60, heard?.onsets ?? []),
        clicksOf(loops[index] ?? { beats: 1 }, 120, 60),
      ),
    );
    expect(Math.max(...errors)).toBeLessThan(0.001);
    const ratio = (three?.peaks[0] ?? 0) / (four?.peaks[0] ?? 1);
    expect(20 * Math.log10(ratio)).toBeGreaterThan(8);
    expect(20 * Math.log10(ratio)).toBeLessThan(10);
    const silent = await renderAndListen(page, { ...scene, audible: [], spans: [[0, 60]] });
    expect(silent.peaks).toEqual([0]);
  });

  test("[V8] plays -70 dB at that level", async () => {
    const page = await openPage();
    const { peaks } = await renderAndListen(page, {
      ...sceneOf([
        madeOf({ id: "tone", gain_db: -70 }, new Float64Array(48_000).fill(0.5), 48_000),
      ]),
      ...at(120),
      seconds: 1,
      spans: [[0.1, 0.9]],
    });
    expect(peaks[0]).toBeCloseTo(0.5 * 10 ** (-70 / 20), 7);
  });

  test("[V8] plays no tail past the loop, and silence after a short file", async () => {
    const page = await openPage();
    const bpm = 120;
    const tail: ClickOptions = { id: "tail", bpm, beats: 4, fileBeats: 5, clicks: [0, 4.5] };
    const short: ClickOptions = { id: "short", bpm: 100, beats: 4, fileBeats: 3, clicks: [0, 2] };
    const ofTail = await renderAndListen(page, {
      ...sceneOf([makeClicks(tail)]),
      ...at(bpm),
      seconds: 20,
    });
    expect(largestError(ofTail.onsets, [0, 2, 4, 6, 8, 10, 12, 14, 16, 18])).toBeLessThan(0.001);
    const ofShort = await renderAndListen(page, {
      ...sceneOf([makeClicks(short)]),
      ...at(bpm),
      seconds: 6,
      spans: [
        [1.51, 1.99],
        [3.51, 3.99],
      ],
    });
    expect(largestError(ofShort.onsets, [0, 1, 2, 3, 4, 5])).toBeLessThan(0.001);
    expect(ofShort.peaks).toEqual([0, 0]);
  });

  test("[V8] loops of a guessed length repeat at their own speed, and one-shots play once", async () => {
    const page = await openPage();
    const samples = new Float64Array(33_000);
    samples.fill(0.9, 0, 20);
    const guessed = madeOf({ id: "guessed", looping: true }, samples, 44_100);
    const options = { ...at(90), seconds: 10 };
    const heard = await renderAndListen(page, { ...sceneOf([guessed]), ...options });
    const passes = Array.from({ length: 14 }, (_, pass) => (pass * 33_000) / 44_100);
    expect(largestError(heard.onsets, passes)).toBeLessThan(0.001);
    const once = await renderAndListen(page, {
      ...sceneOf([madeOf({ id: "once" }, samples, 44_100)]),
      ...options,
    });
    expect(largestError(once.onsets, [0])).toBeLessThan(0.001);
  });

  test.each(
    someOf(
      [
        [174, 174],
        [174, 126],
        [90, 126],
      ],
      1,
    ),
  )("[V9] a steady tone of %d BPM has no click at its seams at %d BPM", async (own, bpm) => {
    const page = await openPage();
    for (const round of [Math.floor, Math.ceil]) {
      const frames = round((4 * 60 * 48_000) / own);
      const said = { id: "pad", looping: true, loop_beats: 4, tempo_bpm: own };
      const heard = await renderAndListen(page, {
        ...sceneOf([madeOf(said, new Float64Array(frames).fill(0.5), 48_000)]),
        ...at(bpm),
        seconds: 30,
      });
      expect(heard.lowest).toBeGreaterThan(0.499);
      expect(heard.highest).toBeLessThan(0.501);
    }
  });

  test("[V9] a tempo change keeps the position in beats", async () => {
    const page = await openPage();
    const loops: ClickOptions[] = [
      { id: "four", bpm: 100, beats: 4 },
      { id: "three and a half", bpm: 140, beats: 3.5 },
    ];
    const tempi = [
      { fromSeconds: 0, bpm: 120 },
      // In the middle of a beat, and of a pass of both.
      { fromSeconds: 5.3, bpm: 150 },
      { fromSeconds: 9.1, bpm: 90 },
    ];
    // 10.6 beats have passed at 5.3 s, 20.1 at 9.1 s.
    const timeOf = (beat: number): number => {
      if (beat < 10.6) return beat / 2;
      return beat < 20.1 ? 5.3 + ((beat - 10.6) * 60) / 150 : 9.1 + ((beat - 20.1) * 60) / 90;
    };
    for (const loop of loops) {
      const expected = clicksOf(loop, 60, 1000).map(timeOf);
      const scene = sceneOf([makeClicks(loop)]);
      const { onsets } = await renderAndListen(page, { ...scene, tempi, seconds: 30 });
      expect(largestError(beginningBefore(30, onsets), beginningBefore(30, expected))).toBeLessThan(
        0.001,
      );
    }
  });

  test("[V9] a steady tone has no click where the tempo changes", async () => {
    const page = await openPage();
    const said = { id: "pad", looping: true, loop_beats: 4, tempo_bpm: 120 };
    const heard = await renderAndListen(page, {
      ...sceneOf([madeOf(said, new Float64Array(96_000).fill(0.5), 48_000)]),
      tempi: [
        { fromSeconds: 0, bpm: 120 },
        { fromSeconds: 3.1, bpm: 97 },
      ],
      seconds: 8,
    });
    expect(heard.steepest).toBeLessThan(0.01);
    expect(heard.lowest).toBeGreaterThan(0.49);
  });

  test.each(
    someOf(
      [
        ["drum-loops-90-126-174", 126],
        ["loops-with-tails", 120],
        ["half-beat-lengths", 112],
        ["one-shot-kit", 120],
      ] as const,
      2,
    ),
  )("[V8][V9] %s sounds as arithmetic says, onset by onset", async (name, bpm) => {
    const folder = join(PACKAGES, name);
    const { scene } = await readPreviewScene({ key: name, folder, shownAs: name });
    if ("error" in scene) throw new Error(scene.error);
    const tracks = scene.tracks.filter((track) => !("error" in track));
    const wavs: Record<string, string> = {};
    for (const { id, file } of tracks) wavs[id] = await readFile(join(folder, file), "base64");
    const page = await openPage();
    const { expected, rendered } = await page.evaluate<{
      readonly expected: readonly number[];
      readonly rendered: readonly number[];
    }>(`compareWithArithmetic(${JSON.stringify({ tracks, wavs, bpm, seconds: 24 })})`);
    expect(expected.length).toBeGreaterThan(name === "one-shot-kit" ? 0 : 20);
    expect(largestError(rendered, expected)).toBeLessThan(0.002);
  });
});
