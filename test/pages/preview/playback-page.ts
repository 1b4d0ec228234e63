import type { Page } from "playwright-core";
import type { PlayableTrack } from "../../../pages/kit/playback/plan-playback.ts";
import { bundlePlayback } from "../kit/playback/bundle-playback.ts";
import { encodeWav } from "../../../fixtures/synth/wav-file.ts";

/** A scene to render: its sounds, its time span and what to measure. */
export interface RenderOptions {
  readonly tracks: readonly PlayableTrack[];
  /** WAVs in Base64, by sound id. */
  readonly wavs: Readonly<Record<string, string>>;
  /** The scene's tempo; where there are more, each holds from a time on. */
  readonly tempi: readonly { readonly fromSeconds: number; readonly bpm: number }[];
  readonly seconds: number;
  /** Ids of the audible sounds; all if omitted. */
  readonly audible?: readonly string[];
  /** Spans in seconds whose largest deviation from silence is wanted. */
  readonly spans?: readonly (readonly [from: number, to: number])[];
}

export interface Rendered {
  /** Times at which the sound rises above `LOUD` after 10 ms below it, in seconds. */
  readonly onsets: readonly number[];
  readonly peaks: readonly number[];
  /** Lowest and highest sample, and the largest step from one to the next, after the first millisecond. */
  readonly lowest: number;
  readonly highest: number;
  readonly steepest: number;
}

/** Least loudness of a click. */
const LOUD = 0.3;

/** The script in the page: the modules under test and the measurements. */
const IN_PAGE = `
import { planPlayback } from "./plan-playback.ts";
import { PlayingScene } from "./playing-scene.ts";
import { scheduleScene } from "./scheduled-part.ts";
import { ScenePlayer } from "./scene-player.ts";
import { decodeSound } from "./sound-buffers.ts";

const bytesOf = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)).buffer;

async function decodeAll(wavs) {
  const sounds = new Map();
  for (const [id, base64] of Object.entries(wavs)) sounds.set(id, await decodeSound(bytesOf(base64)));
  return sounds;
}

async function renderScene({ tracks, wavs, tempi, seconds, audible, spans = [] }) {
  const sounds = await decodeAll(wavs);
  const context = new OfflineAudioContext(1, seconds * 48_000, 48_000);
  const isAudible = (id) => audible === undefined || audible.includes(id);
  let originSeconds = 0;
  tempi.forEach(({ fromSeconds, bpm }, index) => {
    const before = tempi[index - 1];
    if (before !== undefined) originSeconds = fromSeconds - (fromSeconds - originSeconds) * before.bpm / bpm;
    const next = tempi[index + 1]?.fromSeconds;
    const options = { destination: context.destination, ...unwarped(sounds), isAudible, startSeconds: 0, originSeconds, fromSeconds, hasRunUp: false };
    for (const part of scheduleScene(planPlayback(tracks, bpm), options).values()) {
      // As a player that has already scheduled what comes after.
      part.scheduleUntil(Math.min(seconds, (next ?? seconds) + 3));
      if (next !== undefined) part.stop(next);
    }
  });
  return (await context.startRendering()).getChannelData(0);
}

/** Nothing is warped: pitch follows tempo. */
function unwarped(sounds) {
  return { sounds, warped: new Map(), repitched: new Set(sounds.keys()) };
}

function listen(samples, spans = []) {
  const onsets = [];
  let loudAt = -Infinity, lowest = Infinity, highest = -Infinity, steepest = 0;
  samples.forEach((sample, frame) => {
    if (Math.abs(sample) >= ${LOUD}) {
      if (frame - loudAt > 480) onsets.push(frame / 48_000);
      loudAt = frame;
    }
    if (frame < 48) return;
    lowest = Math.min(lowest, sample);
    highest = Math.max(highest, sample);
    steepest = Math.max(steepest, Math.abs(sample - samples[frame - 1]));
  });
  const peaks = spans.map(([from, to]) =>
    samples.slice(from * 48_000, to * 48_000).reduce((peak, one) => Math.max(peak, Math.abs(one)), 0));
  return { onsets, peaks, lowest, highest, steepest };
}

/** Plays a scene offline that is edited after a second, and listens from half a second on. */
async function renderEdit({ tracks, edited, wavs }) {
  const sounds = await decodeAll(wavs);
  const context = new OfflineAudioContext(1, 2 * 48_000, 48_000);
  const audible = new Set(tracks.map(({ id }) => id));
  const content = { ...unwarped(sounds), tracks, audible, tempoBpm: 120 };
  const scene = new PlayingScene(content, { context });
  const editing = context.suspend(1).then(() => {
    scene.change({ ...content, tracks: edited });
    return context.resume();
  });
  const [samples] = await Promise.all([context.startRendering(), editing]);
  return listen(samples.getChannelData(0).slice(24_000), [[0, 0.4], [1, 1.5]]);
}

/** Computes a scene's expected samples, and when sounds start in both versions. */
async function compareWithArithmetic({ tracks, wavs, bpm, seconds }) {
  const sounds = await decodeAll(wavs);
  const expected = new Float32Array(seconds * 48_000);
  for (const { id, looping, loop_beats: beats, tempo_bpm: own, gain_db: db, frames, sampleRateHz } of tracks) {
    const file = sounds.get(id).getChannelData(0);
    const channels = sounds.get(id).numberOfChannels;
    const other = sounds.get(id).getChannelData(channels - 1);
    const pass = looping ? (beats * 60 / bpm) * 48_000 : Infinity;
    for (let frame = 0; frame < expected.length; frame += 1) {
      const at = (frame % pass) * (looping ? bpm / own : 1);
      const low = Math.floor(at);
      const mono = (index) => ((file[index] ?? 0) + (other[index] ?? 0)) / 2;
      expected[frame] += 10 ** (db / 20) * (mono(low) + (at - low) * (mono(low + 1) - mono(low)));
    }
  }
  const rendered = await renderScene({ tracks, wavs, tempi: [{ fromSeconds: 0, bpm }], seconds });
  return { expected: attacks(expected), rendered: attacks(rendered), largest: expected.reduce((a, b) => Math.max(a, Math.abs(b)), 0) };
}

/** Times at which the level jumps to more than twice of what it was in the 10 ms before. */
function attacks(samples) {
  const hop = 48;
  const levels = Array.from({ length: Math.floor(samples.length / hop) }, (_, index) =>
    Math.sqrt(samples.subarray(index * hop, (index + 1) * hop).reduce((sum, one) => sum + one * one, 0) / hop));
  const found = [];
  levels.forEach((level, index) => {
    const before = Math.max(0, ...levels.slice(Math.max(0, index - 10), index));
    if (level > 0.05 && level > 2 * before) found.push(index * hop / 48_000);
  });
  return found;
}

Object.assign(globalThis, { ScenePlayer, bytesOf, compareWithArithmetic, renderEdit,
  renderAndListen: async (options) => listen(await renderScene(options), options.spans) });
`;

/** A page that has `renderAndListen`, `renderEdit`, `compareWithArithmetic`, `bytesOf` and `ScenePlayer`. */
export async function addPlayback(page: Page): Promise<void> {
  await page.addScriptTag({ content: await bundlePlayback(IN_PAGE) });
}

/** Renders a scene offline, in the browser, and listens to it. */
export function renderAndListen(page: Page, options: RenderOptions): Promise<Rendered> {
  return page.evaluate(`renderAndListen(${JSON.stringify(options)})`);
}

/** Plays a scene offline that is edited meanwhile; its two peaks are before and after. */
export function renderEdit(
  page: Page,
  options: Pick<RenderOptions, "tracks" | "wavs"> & { readonly edited: RenderOptions["tracks"] },
): Promise<Rendered> {
  return page.evaluate(`renderEdit(${JSON.stringify(options)})`);
}

/** A sound that a test made, as the preview's player takes it. */
export interface MadeSound {
  readonly track: PlayableTrack;
  /** Its WAV in Base64. */
  readonly wav: string;
}

export interface ClickOptions {
  readonly id: string;
  /** At which the file is made. */
  readonly bpm: number;
  readonly beats: number;
  readonly sampleRateHz?: number;
  /** Positions of clicks, in beats; by default on each beat. */
  readonly clicks?: readonly number[];
  /** Length of the file, in beats; by default as long as the loop. */
  readonly fileBeats?: number;
  readonly gainDb?: number;
}

const CLICK_SECONDS = 0.0005;

/** A silent loop with a short click on each beat. */
export function makeClicks(options: ClickOptions): MadeSound {
  const { id, bpm, beats, sampleRateHz = 44_100, fileBeats = beats, gainDb = 0 } = options;
  const clicks = options.clicks ?? Array.from({ length: Math.ceil(beats) }, (_, beat) => beat);
  const frameOf = (beat: number) => Math.round((beat * 60 * sampleRateHz) / bpm);
  const samples = new Float64Array(frameOf(fileBeats));
  for (const beat of clicks) {
    samples.fill(0.9, frameOf(beat), frameOf(beat) + Math.ceil(CLICK_SECONDS * sampleRateHz));
  }
  return madeOf(
    { id, looping: true, loop_beats: beats, tempo_bpm: bpm, gain_db: gainDb },
    samples,
    sampleRateHz,
  );
}

/** The samples as a sound; by default a one-shot that plays as it is. */
export function madeOf(
  said: Partial<PlayableTrack> & Pick<PlayableTrack, "id">,
  samples: Float64Array,
  sampleRateHz: number,
): MadeSound {
  const wav = encodeWav([samples], { rateHz: sampleRateHz, depth: "24" });
  const track: PlayableTrack = {
    revision: "1",
    bytes: wav.byteLength,
    frames: samples.length,
    sampleRateHz,
    looping: false,
    loop_beats: null,
    // So that arithmetic says when it sounds.
    warp_mode: "repitch",
    tempo_bpm: null,
    gain_db: 0,
    ...said,
  };
  return { track, wav: Buffer.from(wav).toString("base64") };
}
