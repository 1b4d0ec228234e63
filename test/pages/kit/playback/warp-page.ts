import { createHash } from "node:crypto";
import type { Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { beginAnswer, STRETCH_ROUTE } from "../../../../addon/control/control-answer.ts";
import { serveControl } from "../../../../addon/control/control-server.ts";
import { contentPolicyFor } from "../../../../core/protocol/content-policy.ts";
import type { MadeSound } from "../../preview/playback-page.ts";
import type { SceneView } from "../../../../pages/kit/playback/scene-view.ts";
import { soon } from "../../../sim/soon.ts";
import { bundlePlayback } from "./bundle-playback.ts";

/** The page's script: the modules under test, in the page's own global names. */
const IN_PAGE = `
import { ClipPlayer } from "./clip-player.ts";
import { planPlayback } from "./plan-playback.ts";
import { ScenePlayer } from "./scene-player.ts";
import { QueuedScene } from "./scene-turn.ts";
import { scheduleScene } from "./scheduled-part.ts";
import { SoundBuffers } from "./sound-buffers.ts";
import { WarpedLoops } from "./warp/warped-loops.ts";

const bytesOf = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)).buffer;
function base64Of(samples) {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}
const loops = new WarpedLoops();

/** Plays one sound at a tempo, offline, from what the player would play. */
async function renderAt({ track, wav, tempoBpm, seconds }) {
  const deps = { loops, sounds: new SoundBuffers(async () => new Blob([bytesOf(wav)])) };
  const options = { sceneKey: "scene", soundsOf: wav.length + track.id, tracks: [track], tempoBpm, beatsPerBar: 4 };
  const turn = new QueuedScene(options, deps);
  await turn.prepare(() => {});
  while (turn.view.rendering.size > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  const content = turn.content(new Set([track.id]));
  const context = new OfflineAudioContext(1, Math.ceil(seconds * 48_000), 48_000);
  const all = { ...content, destination: context.destination, originSeconds: 0, startSeconds: 0, fromSeconds: 0, hasRunUp: false, isAudible: () => true };
  for (const part of scheduleScene(planPlayback([track], tempoBpm), all).values()) part.scheduleUntil(seconds);
  const samples = (await context.startRendering()).getChannelData(0);
  const cycle = content.warped.get(track.id);
  return {
    samples: base64Of(samples),
    cycle: cycle === undefined ? null : base64Of(cycle.getChannelData(0)),
    mode: turn.view.mode,
  };
}
Object.assign(globalThis, { bytesOf, ClipPlayer, renderAt, ScenePlayer });
`;

export interface WarpPageOptions {
  /** Replaces the module in the policy. */
  readonly policy?: (policy: string) => string;
  /** Set to false if the server has nothing at the module's address. */
  readonly hasModule?: boolean;
  /** Called when the module is asked for. */
  readonly onModule?: () => void;
}

/** Serves a page that can stretch, with the policy of the panel and the preview. Returns its address. */
export async function serveWarpPage(options: WarpPageOptions = {}): Promise<string> {
  const { policy = (own) => own, hasModule = true, onModule } = options;
  const html = `<!doctype html><title>Warp</title><body><button>Do it</button><script>${await bundlePlayback(IN_PAGE)}</script>`;
  const handle: typeof STRETCH_ROUTE.handle = async (call) => {
    const workletUrl = `http://${call.request.headers.host}${STRETCH_ROUTE.path}`;
    beginAnswer(call, 200, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy(contentPolicyFor(html, digest, { workletUrl })),
    });
    call.response.end(html);
  };
  const page = { method: "GET", path: "/", isOpen: true, handle };
  const module: typeof STRETCH_ROUTE = {
    ...STRETCH_ROUTE,
    handle: (call) => {
      onModule?.();
      return STRETCH_ROUTE.handle(call);
    },
  };
  const routes = hasModule ? [page, module] : [page];
  const server = await serveControl(routes, { port: 0, secret: "never shown" });
  onTestFinished(() => server.close());
  return `http://127.0.0.1:${server.port}/`;
}

/** A sound as rendered at a tempo. */
export interface RenderedSound {
  readonly samples: Float32Array;
  /** The cycle that its passes are played from; null if it isn't warped. */
  readonly cycle: Float32Array | null;
  readonly mode: "plain" | "warped" | "repitched";
}

export async function renderAt(
  page: Page,
  { track, wav }: MadeSound,
  { tempoBpm, seconds }: { readonly tempoBpm: number; readonly seconds: number },
): Promise<RenderedSound> {
  const options = JSON.stringify({ track, wav, tempoBpm, seconds });
  const { samples, cycle, mode } = await page.evaluate<{
    samples: string;
    cycle: string | null;
    mode: RenderedSound["mode"];
  }>(`renderAt(${options})`);
  return { samples: floatsOf(samples), cycle: cycle === null ? null : floatsOf(cycle), mode };
}

function floatsOf(base64: string): Float32Array {
  return new Float32Array(Uint8Array.from(Buffer.from(base64, "base64")).buffer);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}

type ToldView = Pick<
  SceneView,
  "sceneKey" | "nextKey" | "isLoading" | "tempoBpm" | "mode" | "notice"
> & { readonly rendering: readonly string[]; readonly errors: Readonly<Record<string, string>> };

/** A served page with a player in it, which records what it starts. */
export class WarpPlayer {
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
  }

  /** @param page with `warp-page.ts`'s script */
  static async open(page: Page, sounds: readonly MadeSound[]): Promise<WarpPlayer> {
    const wavs = Object.fromEntries(sounds.map(({ track, wav }) => [track.id, wav]));
    const tracks = Object.fromEntries(sounds.map(({ track }) => [track.id, track]));
    await page.evaluate(`(() => {
      globalThis.wavs = ${JSON.stringify(wavs)};
      globalThis.tracks = ${JSON.stringify(tracks)};
      ${RECORD_SOURCES}
      globalThis.player = new ScenePlayer(async (key, id) => new Blob([bytesOf(wavs[id])]), new AbortController().signal);
    })()`);
    return new WarpPlayer(page);
  }

  /** Runs code in a user's click. */
  async click(script: string): Promise<void> {
    await this.page.evaluate(
      `document.querySelector("button").onclick = () => { globalThis.clicked = (async () => { ${script} })(); }`,
    );
    await this.page.getByRole("button").click();
    await this.page.evaluate("clicked");
  }

  /** Has a scene's loop warped, so that it is there in time on a slow machine, too; forgets that it was heard. */
  async warm(sceneKey: string, track: string, tempoBpm: number): Promise<void> {
    await this.click(`await player.play("${sceneKey}", [tracks.${track}], ${tempoBpm})`);
    await soon(() => this.view()).toMatchObject({ rendering: [] });
    await this.page.evaluate("player.stop(); started.length = 0");
  }

  view(): Promise<ToldView> {
    return this.page
      .evaluate(`(({ sceneKey, nextKey, isLoading, tempoBpm, mode, notice, rendering, errors }) =>
      ({ sceneKey, nextKey, isLoading, tempoBpm, mode, notice, rendering: [...rendering], errors: Object.fromEntries(errors) }))(player.view)`);
  }

  started(): Promise<readonly StartedSource[]> {
    return this.page.evaluate("started");
  }
}

/** A started source, as the page's audio context was asked for it. */
export interface StartedSource {
  /** Frames, all but silent ones as a whole; identifies the sound. */
  readonly frames: number;
  readonly rate: number;
  /** Numbers the buffers, from 0. */
  readonly buffer: number;
  readonly startSeconds: number;
  stopSeconds: number | null;
}

/** A page's script: `started` lists what its audio context starts. */
export const RECORD_SOURCES = `
  globalThis.started = [];
  const { start, stop } = AudioBufferSourceNode.prototype;
  const told = new Map();
  const buffers = new Map();
  AudioBufferSourceNode.prototype.start = function (when, ...more) {
    if (this.context instanceof AudioContext) {
      if (!buffers.has(this.buffer)) buffers.set(this.buffer, buffers.size);
      const source = { frames: this.buffer.length, rate: this.playbackRate.value, buffer: buffers.get(this.buffer), startSeconds: when, stopSeconds: null };
      told.set(this, source);
      started.push(source);
    }
    return start.call(this, when, ...more);
  };
  AudioBufferSourceNode.prototype.stop = function (when) {
    if (told.has(this)) told.get(this).stopSeconds = when;
    return stop.call(this, when);
  };`;
