import type { Page } from "playwright-core";
import type { SceneView } from "../../../web/playback/scene-view.ts";
import type { MadeSound } from "../../preview/click-train.ts";
import { RECORD_SOURCES, type StartedSource } from "./record-sources.ts";

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
