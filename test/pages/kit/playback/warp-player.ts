import type { Page } from "playwright-core";
import type { SceneView } from "../../../../pages/kit/playback/scene-view.ts";
import type { MadeSound } from "../../preview/click-train.ts";
import { RECORD_SOURCES, type StartedSource } from "./record-sources.ts";
import { soon } from "../../../sim/soon.ts";

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
