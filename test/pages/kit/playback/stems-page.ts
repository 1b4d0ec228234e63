import type { Page } from "playwright-core";
import { bundlePlayback } from "./bundle-playback.ts";

/** Stems of one song with a click on each bar of four beats, and what is played of them. */
export interface StemsOptions {
  /** Sample rate of each stem's file. */
  readonly ratesHz: readonly number[];
  readonly seconds: number;
  readonly bpm: number;
  /** Loops of the song's whole beats, or one-shots as recorded. */
  readonly looping: boolean;
  /** Tempo at which they are played; default: their own. */
  readonly tempoBpm?: number;
  /** Bar from which they are played, from 1; default: 1. */
  readonly fromBar?: number;
  readonly renderSeconds: number;
  /** Goes to a bar while they play, at a whole second of what is rendered. */
  readonly jump?: { readonly atSeconds: number; readonly toBar: number };
  /** Seconds of what is rendered between which nothing is scheduled, as on a page that is too busy. */
  readonly idle?: readonly [from: number, to: number];
  /** Times at which a click is looked for, in seconds since the start. */
  readonly lookAt: readonly number[];
}

/** The click of each stem around one moment. */
interface HeardClick {
  /** Frame since the start with the loudest sample within 20 ms. */
  readonly frames: readonly number[];
  readonly levels: readonly number[];
}

const IN_PAGE = `
import { PlayingScene } from "./playing-scene.ts";
import { QueuedScene } from "./scene-turn.ts";
import { ScenePlayer } from "./scene-player.ts";
import { SoundBuffers } from "./sound-buffers.ts";
import { WarpedLoops } from "./warp/warped-loops.ts";

const RATE = 48_000;
/** Frame of the start; before it, a player has time to prepare. */
const START = 24_000;

/** A 16-bit stereo WAV with one loud sample at the start of each bar, and a number that tells stems apart elsewhere. */
function makeStem({ rateHz, seconds, bpm }) {
  const frames = Math.round(seconds * rateHz);
  const header = new DataView(new ArrayBuffer(44));
  const text = (at, words) => [...words].forEach((c, index) => header.setUint8(at + index, c.charCodeAt(0)));
  text(0, "RIFF"); header.setUint32(4, 36 + frames * 4, true); text(8, "WAVEfmt ");
  header.setUint32(16, 16, true); header.setUint16(20, 1, true); header.setUint16(22, 2, true);
  header.setUint32(24, rateHz, true); header.setUint32(28, rateHz * 4, true);
  header.setUint16(32, 4, true); header.setUint16(34, 16, true);
  text(36, "data"); header.setUint32(40, frames * 4, true);
  const samples = new Int16Array(frames * 2);
  for (let bar = 0; ; bar += 1) {
    const frame = Math.round((bar * 240 * rateHz) / bpm);
    if (frame >= frames) break;
    samples[2 * frame] = samples[2 * frame + 1] = 26_000;
  }
  return new Blob([header.buffer, samples]);
}

function makeStems({ ratesHz, seconds, bpm, looping }) {
  const tracks = ratesHz.map((rateHz, index) => ({
    id: "stem " + index, revision: "1", bytes: 44 + Math.round(seconds * rateHz) * 4,
    frames: Math.round(seconds * rateHz), sampleRateHz: rateHz, looping, warp_mode: looping ? "complex" : null,
    loop_beats: looping ? (seconds * bpm) / 60 : null, tempo_bpm: looping ? bpm : null, gain_db: 0,
  }));
  const files = new Map(tracks.map(({ id }, index) => [id, makeStem({ rateHz: ratesHz[index], seconds, bpm })]));
  return { tracks, files };
}

async function renderStems(options) {
  const { ratesHz, bpm, tempoBpm = bpm, fromBar = 1, renderSeconds, jump, idle = [0, 0], lookAt } = options;
  const { tracks, files } = makeStems(options);
  const sounds = new SoundBuffers(async (_, id) => files.get(id));
  const turn = new QueuedScene({ sceneKey: "song", soundsOf: "song", tracks, tempoBpm, beatsPerBar: 4 }, { sounds, loops: new WarpedLoops() });
  await turn.prepare(() => {});
  const fromBeats = (fromBar - 1) * 4;
  await turn.preload(fromBeats);
  const context = new OfflineAudioContext(tracks.length, renderSeconds * RATE, RATE);
  // Each stem gets a channel of its own: its gain is made in the tracks' order.
  const merger = new ChannelMergerNode(context, { numberOfInputs: tracks.length });
  merger.connect(context.destination);
  const Gain = GainNode;
  let made = 0;
  globalThis.GainNode = class extends Gain { connect() { return super.connect(merger, 0, made++ % tracks.length); } };
  const scene = new PlayingScene(turn.content(new Set(tracks.map(({ id }) => id))), { context, startSeconds: START / RATE, fromBeats });
  await scene.keepGoing();
  for (let second = 1; second < renderSeconds; second += 1) {
    void context.suspend(second).then(async () => {
      if (jump?.atSeconds === second) {
        await turn.preload((jump.toBar - 1) * 4);
        scene.jumpTo((jump.toBar - 1) * 4);
      }
      if (second < idle[0] || second >= idle[1]) await scene.keepGoing();
      void context.resume();
    });
  }
  const rendered = await context.startRendering();
  globalThis.GainNode = Gain;
  const heard = lookAt.map((seconds) => {
    const first = START + Math.round(seconds * RATE) - 960;
    const loudest = tracks.map((_, index) => {
      const samples = rendered.getChannelData(index).subarray(first, first + 1920);
      let at = 0;
      samples.forEach((sample, frame) => { if (Math.abs(sample) > Math.abs(samples[at])) at = frame; });
      return { frame: first + at - START, level: Math.abs(samples[at]) };
    });
    return { frames: loudest.map(({ frame }) => frame), levels: loudest.map(({ level }) => level) };
  });
  return { heard, mode: turn.view.mode, notice: turn.view.notice };
}
Object.assign(globalThis, { makeStems, renderStems, ScenePlayer });
`;

/** Adds `renderStems`, `makeStems` and `ScenePlayer` to a page. */
export async function addStems(page: Page): Promise<void> {
  await page.addScriptTag({ content: await bundlePlayback(IN_PAGE) });
}

/** Plays stems offline, in the browser, and finds their clicks. */
export function renderStems(
  page: Page,
  options: StemsOptions,
): Promise<{
  readonly heard: readonly HeardClick[];
  readonly mode: string;
  readonly notice: string | null;
}> {
  return page.evaluate(`renderStems(${JSON.stringify(options)})`);
}
