import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser, useBrowser } from "../../panel/panel-browser.ts";
import { addStems, renderStems, type StemsOptions } from "./stems-page.ts";
import { WHOLE_FORMS } from "../../../whole-forms.ts";

const browser = useBrowser();

async function openPage(): Promise<Page> {
  const page = await browser.open("about:blank");
  await addStems(page);
  return page;
}

/** 291 beats of a song at 97 BPM: its stems are decoded while they play. */
const SONG = { seconds: 180, bpm: 97 };
/** Twelve stems as a mixing desk writes them, or three small ones with the same bars. */
const RATES_HZ = WHOLE_FORMS ? Array<number>(12).fill(44_100) : [8000, 8000, 8000];

function timeOfBar(bar: number, bpm: number = SONG.bpm): number {
  return ((bar - 1) * 240) / bpm;
}

/** The largest distance between two stems, over all places. */
function apart(heard: Awaited<ReturnType<typeof renderStems>>["heard"]): number {
  return Math.max(...heard.map(({ frames }) => Math.max(...frames) - Math.min(...frames)));
}

/** The largest distance from the frame of the place, and the lowest level of a click. */
function against(
  heard: Awaited<ReturnType<typeof renderStems>>["heard"],
  { lookAt }: Pick<StemsOptions, "lookAt">,
) {
  const errors = heard.flatMap(({ frames }, index) =>
    frames.map((frame) => Math.abs(frame - (lookAt[index] ?? 0) * 48_000)),
  );
  return { error: Math.max(...errors), level: Math.min(...heard.flatMap(({ levels }) => levels)) };
}

describeInBrowser("all stems of a song together (needs Chromium)", () => {
  test.each([true, false])(
    "[V19] stems are 0 samples apart at bars 1, 33 and 65, from the start (loops: %s)",
    async (looping) => {
      const options = {
        ...SONG,
        ratesHz: RATES_HZ,
        looping,
        renderSeconds: 160,
        lookAt: [1, 33, 65].map((bar) => timeOfBar(bar)),
      };
      const { heard } = await renderStems(await openPage(), options);
      expect(apart(heard)).toBe(0);
      // A file of 8 kHz puts a click at most half of its own frame beside the beat.
      const { error, level } = against(heard, options);
      expect(error).toBeLessThanOrEqual(1 + 24_000 / Math.min(...RATES_HZ));
      expect(level).toBeGreaterThan(0.4);
    },
  );

  test.each([true, false])(
    "[V19] from bar 33 stems are 0 samples apart, begin with that bar's attack, and are so at bar 65 (loops: %s)",
    async (looping) => {
      const options = {
        ...SONG,
        ratesHz: RATES_HZ,
        looping,
        fromBar: 33,
        renderSeconds: 82,
        lookAt: [0, timeOfBar(33)],
      };
      const { heard } = await renderStems(await openPage(), options);
      expect(apart(heard)).toBe(0);
      const { error, level } = against(heard, options);
      expect(error).toBeLessThanOrEqual(1 + 24_000 / Math.min(...RATES_HZ));
      expect(level).toBeGreaterThan(0.4);
    },
  );

  test("[V19] goes to another bar on the next beat, with its attack, whatever the files' rates", async () => {
    const options = {
      ratesHz: [44_100, 48_000, 8000],
      seconds: 180,
      bpm: 120,
      looping: true,
      renderSeconds: 8,
      // Half a second after the start, so at 2.5 s of the song: the next beat that can be prepared is at 3 s.
      jump: { atSeconds: 3, toBar: 65 },
      lookAt: [0, 2, 3, 5],
    };
    const { heard } = await renderStems(await openPage(), options);
    expect(apart(heard)).toBe(0);
    expect(against(heard, options)).toEqual({ error: 0, level: expect.closeTo(0.79, 1) });
  });

  test("[V19] a page that was too busy leaves a gap in stems, and they go on together where they would be", async () => {
    const options = {
      ratesHz: [44_100, 48_000, 8000],
      seconds: 180,
      bpm: 120,
      looping: true,
      renderSeconds: 16,
      // Three seconds are scheduled ahead, so the clicks at 8 s are lost.
      idle: [5, 11] as const,
      lookAt: [6, 8, 12, 14],
    };
    const { heard } = await renderStems(await openPage(), options);
    expect(heard.map(({ levels }) => Math.max(...levels) > 0.7)).toEqual([true, false, true, true]);
    const whole = heard.filter((_, index) => index !== 1);
    expect(apart(whole)).toBe(0);
    expect(against(whole, { lookAt: [6, 12, 14] }).error).toBe(0);
  });

  test.each([true, false])(
    "[V19] short scenes, which are decoded whole, begin at a bar and go to another alike (loops: %s)",
    async (looping) => {
      const options = {
        ratesHz: [44_100, 48_000, 8000],
        seconds: 40,
        bpm: 120,
        looping,
        fromBar: 9,
        renderSeconds: 8,
        jump: { atSeconds: 3, toBar: 3 },
        // After the jump only the clicks of bar 3 and later are there.
        lookAt: [0, 2, 3, 5],
      };
      const { heard } = await renderStems(await openPage(), options);
      expect(apart(heard)).toBe(0);
      const { error, level } = against(heard, options);
      expect(error).toBe(0);
      expect(level).toBeGreaterThan(0.7);
    },
  );

  test("[V19] long loops repeat without a drift between them", async () => {
    const options = {
      ratesHz: Array<number>(20).fill(8000),
      seconds: 21.818182,
      bpm: 110,
      looping: true,
      renderSeconds: 50,
      lookAt: [0, 21.818182, 43.636364],
    };
    const { heard } = await renderStems(await openPage(), options);
    expect(apart(heard)).toBe(0);
    expect(against(heard, options).error).toBeLessThanOrEqual(4);
  });

  test("[V11][V19] at another tempo long loops stay together, repitched, and a sentence says why", async () => {
    const options = {
      ...SONG,
      ratesHz: [8000, 8000, 8000],
      looping: true,
      tempoBpm: 120,
      fromBar: 33,
      renderSeconds: 10,
      lookAt: [0, 2, 8],
    };
    const { heard, mode, notice } = await renderStems(await openPage(), options);
    expect(apart(heard)).toBe(0);
    expect(against(heard, options).error).toBeLessThanOrEqual(4);
    expect({ mode, notice }).toEqual({
      mode: "repitched",
      notice: "These sounds are too long to be stretched here: their pitch follows the tempo.",
    });
  });
});
