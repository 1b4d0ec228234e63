import type { Page } from "playwright-core";
import type { SceneView } from "../../../web/playback/scene-view.ts";
import type { MadeSound } from "../../preview/click-train.ts";

type ToldView = Pick<
  SceneView,
  "sceneKey" | "nextKey" | "isLoading" | "tempoBpm" | "mode" | "notice"
> & { readonly rendering: readonly string[]; readonly errors: Readonly<Record<string, string>> };

/** A started source, as the page's audio context was asked for it. */
export interface StartedSource {
  /** Frames, all but silent ones as a whole; identifies the sound. */
  readonly frames: number;
  readonly rate: number;
  readonly startSeconds: number;
  stopSeconds: number | null;
}

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
      globalThis.started = [];
      const { start, stop } = AudioBufferSourceNode.prototype;
      const told = new Map();
      AudioBufferSourceNode.prototype.start = function (when, ...more) {
        const source = { frames: this.buffer.length, rate: this.playbackRate.value, startSeconds: when, stopSeconds: null };
        if (this.context instanceof AudioContext) { told.set(this, source); started.push(source); }
        return start.call(this, when, ...more);
      };
      AudioBufferSourceNode.prototype.stop = function (when) {
        if (told.has(this)) told.get(this).stopSeconds = when;
        return stop.call(this, when);
      };
      globalThis.player = new ScenePlayer(async (key, id) => bytesOf(wavs[id]), new AbortController().signal);
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

  view(): Promise<ToldView> {
    return this.page
      .evaluate(`(({ sceneKey, nextKey, isLoading, tempoBpm, mode, notice, rendering, errors }) =>
      ({ sceneKey, nextKey, isLoading, tempoBpm, mode, notice, rendering: [...rendering], errors: Object.fromEntries(errors) }))(player.view)`);
  }

  started(): Promise<readonly StartedSource[]> {
    return this.page.evaluate("started");
  }
}
