import type { Page } from "playwright-core";
import type { SceneView } from "../../../pages/kit/playback/scene-view.ts";
import { type MadeSound, addPlayback } from "./playback-page.ts";

/** The part of the view that the test reads. */
type ToldView = Pick<SceneView, "sceneKey" | "isLoading" | "tempoBpm"> & {
  readonly errors: Readonly<Record<string, string>>;
};

/** A page with a player, which plays in a click as browsers want it; `fetched` is what it has asked for. */
export class PlayerPage {
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
  }

  /** @param page that nothing was opened in yet */
  static async open(page: Page, sounds: readonly MadeSound[]): Promise<PlayerPage> {
    await addPlayback(page);
    const wavs = Object.fromEntries(sounds.map(({ track, wav }) => [track.id, wav]));
    await page.evaluate(`(() => {
      globalThis.wavs = ${JSON.stringify(wavs)};
      globalThis.tracks = ${JSON.stringify(sounds.map(({ track }) => track))};
      globalThis.fetched = [];
      globalThis.release = () => {};
      globalThis.gate = Promise.resolve();
      globalThis.closing = new AbortController();
      globalThis.player = new ScenePlayer(async (key, id, revision) => {
        fetched.push([key, id, revision].join("/"));
        await gate;
        if (wavs[id] === undefined) throw new Error("There is no such file.");
        return new Blob([bytesOf(wavs[id])]);
      }, closing.signal);
      document.body.innerHTML = "<button>Do it</button>";
    })()`);
    return new PlayerPage(page);
  }

  /** Runs code in a user's click. */
  async click(script: string): Promise<void> {
    await this.page.evaluate(`document.querySelector("button").onclick = () => { ${script} }`);
    await this.page.getByRole("button").click();
  }

  view(): Promise<ToldView> {
    return this.page.evaluate(`(({ sceneKey, isLoading, tempoBpm, errors }) =>
      ({ sceneKey, isLoading, tempoBpm, errors: Object.fromEntries(errors) }))(player.view)`);
  }

  beats(): Promise<number | null> {
    return this.page.evaluate("player.positionBeats()");
  }

  fetched(): Promise<readonly string[]> {
    return this.page.evaluate("fetched");
  }

  /** Adds an analyser before the speaker; call it before the first sound. */
  async listen(): Promise<void> {
    await this.page.evaluate(`(() => {
      const Speaking = AudioContext;
      globalThis.AudioContext = class extends Speaking {
        ear = new AnalyserNode(this, { fftSize: 2048 });
        constructor(options) {
          super(options);
          globalThis.ear = this.ear;
          this.ear.connect(super.destination);
        }
        get destination() {
          return this.ear;
        }
      };
    })()`);
  }

  /** The largest deviation from silence in the last 40 ms. */
  loudness(): Promise<number> {
    return this.page.evaluate(`(() => {
      const samples = new Float32Array(ear.fftSize);
      ear.getFloatTimeDomainData(samples);
      return samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
    })()`);
  }

  /** Holds back what is fetched until `release` is called. */
  async hold(): Promise<void> {
    await this.page.evaluate("void (gate = new Promise((resolve) => { release = resolve; }))");
  }
}
