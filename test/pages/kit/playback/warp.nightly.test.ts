import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { WarpMode } from "../../../../core/manifest/manifest.ts";
import { describeInBrowser, useBrowser } from "../../panel/panel-browser.ts";
import { madeOf, type MadeSound } from "../../preview/playback-page.ts";
import { type KnownLoop, makeDrone, makeDrums, makeMelody } from "./made-sounds.ts";
import {
  findOnsets,
  type OnsetErrors,
  onsetErrors,
  quantile,
  centsFrom,
} from "./measure-onsets.ts";
import { renderAt, type RenderedSound, serveWarpPage } from "./warp-page.ts";

const browser = useBrowser();
const PAGE_HZ = 48_000;
const PRINTS_FIGURES = process.env["SOUNDFERRY_PRINT_FIGURES"] !== undefined;
/** The ends, and one on each side of the loop's own tempo; the figures of docs/build/performance.md are of all. */
const RATIOS = PRINTS_FIGURES
  ? [0.75, 0.79, 0.88, 0.97, 1.04, 1.11, 1.25, 1.33]
  : [0.75, 0.97, 1.11, 1.33];

function soundOf(loop: KnownLoop, warpMode: WarpMode): MadeSound {
  return madeOf(
    {
      id: `loop of ${loop.bpm} BPM`,
      looping: true,
      warp_mode: warpMode,
      loop_beats: loop.beats,
      tempo_bpm: loop.bpm,
    },
    loop.samples,
    loop.sampleRateHz,
  );
}

/** Two passes of a loop at a multiple of its tempo. */
async function playTwice(
  page: Page,
  loop: KnownLoop,
  { mode, ratio }: { readonly mode: WarpMode; readonly ratio: number },
): Promise<RenderedSound & { readonly passSeconds: number }> {
  const tempoBpm = loop.bpm * ratio;
  const passSeconds = (loop.beats * 60) / tempoBpm;
  const rendered = await renderAt(page, soundOf(loop, mode), {
    tempoBpm,
    seconds: 2 * passSeconds,
  });
  return { ...rendered, passSeconds };
}

/** Returns the beginnings of a loop's sounds in its second pass, which also has the end of the first one. */
function secondPass(loop: KnownLoop, ratio: number, passSeconds: number): readonly number[] {
  return loop.onsets.map((seconds) => seconds / ratio + passSeconds);
}

/** The finder's own errors, on the file as it is. */
function ownErrors(loop: KnownLoop) {
  const twice = new Float64Array(2 * loop.samples.length);
  twice.set(loop.samples);
  twice.set(loop.samples, loop.samples.length);
  const expected = secondPass(loop, 1, loop.samples.length / loop.sampleRateHz);
  return onsetErrors(findOnsets(twice, loop.sampleRateHz), expected);
}

function centsOf(loop: KnownLoop, ratio: number, samples: Float32Array): readonly number[] {
  const noteSeconds = 60 / loop.bpm / ratio;
  return loop.pitchesHz.map((hz, index) => {
    const from = Math.round(((loop.onsets[index] ?? 0) / ratio + 0.15 * noteSeconds) * PAGE_HZ);
    const note = samples.subarray(from, from + Math.round(0.6 * noteSeconds * PAGE_HZ));
    return Math.abs(centsFrom(note, PAGE_HZ, hz));
  });
}

describeInBrowser("loops at another tempo (needs Chromium)", () => {
  test.each([126, 174])("[V10] drums of %d BPM stay on the grid", async (bpm) => {
    const page = await browser.open(await serveWarpPage());
    const drums = makeDrums(bpm);
    const own = ownErrors(drums);
    for (const ratio of RATIOS) {
      const { samples, passSeconds, mode } = await playTwice(page, drums, { mode: "beats", ratio });
      expect(mode).toBe("warped");
      const found = findOnsets(samples, PAGE_HZ);
      const errors = onsetErrors(found, secondPass(drums, ratio, passSeconds));
      print(`drums ${bpm} ×${ratio}`, errors, []);
      expect.soft(errors.missed, `missed at ×${ratio}`).toBe(0);
      expect.soft(errors.p95Ms, `p95 at ×${ratio}`).toBeLessThan(5);
      expect.soft(Math.abs(errors.lagMs - own.lagMs), `delay at ×${ratio}`).toBeLessThan(2);
    }
  });

  test.each<[WarpMode, number]>([
    ["complex_pro", 120],
    ["complex", 90],
    ["tones", 140],
  ])("[V10] a melody in %s at %d BPM keeps its pitch and its time", async (mode, bpm) => {
    const page = await browser.open(await serveWarpPage());
    const melody = makeMelody(bpm);
    const own = ownErrors(melody);
    for (const ratio of RATIOS) {
      const { samples, passSeconds } = await playTwice(page, melody, { mode, ratio });
      const found = findOnsets(samples, PAGE_HZ);
      const errors = onsetErrors(found, secondPass(melody, ratio, passSeconds));
      const cents = centsOf(melody, ratio, samples);
      print(`melody ${mode} ${bpm} ×${ratio}`, errors, cents);
      expect.soft(errors.missed, `missed at ×${ratio}`).toBe(0);
      expect.soft(errors.medianMs, `median at ×${ratio}`).toBeLessThan(8 + own.medianMs);
      expect.soft(errors.p95Ms, `p95 at ×${ratio}`).toBeLessThan(15 + own.p95Ms);
      expect.soft(Math.abs(errors.lagMs - own.lagMs / ratio), `delay at ×${ratio}`).toBeLessThan(2);
      expect.soft(quantile(cents, 0.5), `cents at ×${ratio}`).toBeLessThan(5);
    }
  });

  test("[V12] a pass is exact to the frame, and its end leads to its beginning", async () => {
    const page = await browser.open(await serveWarpPage());
    for (const mode of ["beats", "complex", "texture"] as const) {
      for (const ratio of RATIOS) {
        const drone = makeDrone(126);
        const { samples, cycle, passSeconds } = await playTwice(page, drone, { mode, ratio });
        const frames = Math.round(passSeconds * PAGE_HZ);
        expect.soft(cycle?.length, `${mode} ×${ratio}`).toBe(frames);
        // The drone never jumps: its steepest step is where all partials rise together.
        const steepest =
          0.15 * 2 * Math.PI * (drone.pitchesHz.reduce((a, b) => a + b, 0) / PAGE_HZ);
        const seam = samples.subarray(frames - 480, frames + 480);
        expect.soft(steepestIn(seam), `${mode} ×${ratio}`).toBeLessThan(1.5 * steepest);
        expect.soft(quietestIn(seam), `${mode} ×${ratio}`).toBeGreaterThan(0.02);
      }
    }
  });

  test("[V12] passes begin where the beat is, however long the loop plays", async () => {
    const page = await browser.open(await serveWarpPage());
    const drums = makeDrums(174, 4);
    const tempoBpm = 133.7;
    const passSeconds = 240 / tempoBpm;
    const seconds = 30 * passSeconds;
    const { samples } = await renderAt(page, soundOf(drums, "beats"), { tempoBpm, seconds });
    const expected = Array.from({ length: 30 }, (_, pass) =>
      drums.onsets.map((at) => (at * 174) / tempoBpm + pass * passSeconds),
    ).flat();
    const errors = onsetErrors(findOnsets(samples, PAGE_HZ), expected.slice(1));
    expect(errors).toMatchObject({ missed: 0 });
    expect(errors.p95Ms).toBeLessThan(5);
  });

  test("[V10] Beats keeps attacks, Texture blurs them, and Re-Pitch changes the pitch", async () => {
    const page = await browser.open(await serveWarpPage());
    const ratio = 0.8;
    const drums = makeDrums(126);
    const sharpness = async (mode: WarpMode): Promise<number> => {
      const { samples, passSeconds } = await playTwice(page, drums, { mode, ratio });
      return attackShare(samples, secondPass(drums, ratio, passSeconds));
    };
    const [beats, complex, texture] = [
      await sharpness("beats"),
      await sharpness("complex"),
      await sharpness("texture"),
    ];
    const untouched = attackShare(resampled(drums), drums.onsets.slice(1));
    expect(beats).toBeGreaterThan(0.8 * untouched);
    expect(texture).toBeLessThan(0.6 * beats);
    expect(complex).toBeGreaterThan(texture);

    const melody = makeMelody(120);
    const repitched = await playTwice(page, melody, { mode: "repitch", ratio });
    expect(repitched).toMatchObject({ cycle: null, mode: "plain" });
    const lower = { ...melody, pitchesHz: melody.pitchesHz.map((hz) => hz * ratio) };
    expect(quantile(centsOf(lower, ratio, repitched.samples), 0.95)).toBeLessThan(1);
  });
});

function steepestIn(samples: Float32Array): number {
  return samples.reduce(
    (most, sample, frame) =>
      frame === 0 ? 0 : Math.max(most, Math.abs(sample - (samples[frame - 1] ?? 0))),
    0,
  );
}

/** The least level of any 5 ms. */
function quietestIn(samples: Float32Array): number {
  const levels = Array.from({ length: Math.floor(samples.length / 240) }, (_, index) =>
    Math.sqrt(
      samples.subarray(index * 240, (index + 1) * 240).reduce((a, b) => a + b * b, 0) / 240,
    ),
  );
  return levels.reduce((a, b) => Math.min(a, b), Infinity);
}

/** Returns the share of the sound within 50 ms of onsets that is in the 10 ms after them. */
function attackShare(samples: Float32Array, onsets: readonly number[]): number {
  const energy = (from: number, to: number): number =>
    samples
      .subarray(Math.round(from * PAGE_HZ), Math.round(to * PAGE_HZ))
      .reduce((sum, sample) => sum + sample * sample, 0);
  const shares = onsets.map((at) => energy(at, at + 0.01) / energy(at - 0.05, at + 0.05));
  return quantile(shares, 0.5);
}

/** At the page's rate, by the nearest sample: good enough for levels. */
function resampled({ samples, sampleRateHz }: KnownLoop): Float32Array {
  const frames = Math.round((samples.length * PAGE_HZ) / sampleRateHz);
  return Float32Array.from(
    { length: frames },
    (_, frame) => samples[Math.round((frame * sampleRateHz) / PAGE_HZ)] ?? 0,
  );
}

/** The figures of docs/build/performance.md, for who asks for them. */
function print(what: string, errors: OnsetErrors, cents: readonly number[]): void {
  if (!PRINTS_FIGURES) return;
  const { medianMs, p95Ms, lagMs } = errors;
  const figures = [medianMs, p95Ms, lagMs, quantile(cents, 0.5)].map((value) => value.toFixed(1));
  process.stdout.write(`${what}\t${figures.join("\t")}\n`);
}
