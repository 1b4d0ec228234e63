import type { PreviewReadScene, PreviewScene } from "../../../../core/protocol/preview-api.ts";
import { ViewStore } from "../../../../web/view-store.ts";
import type { ScenePlayer } from "../playback/scene-player.ts";
import { goOnWith, tempoOf, type TransportView } from "./chosen-scene.ts";
import { usableTracks } from "../../../../core/layout/usable-tracks.ts";

/** What is played when somebody says Play, and how fast (rule V6). */
export class Transport extends ViewStore<TransportView> {
  readonly #player: ScenePlayer;

  constructor(player: ScenePlayer) {
    super({ chosenKey: null, typedTempoBpm: null, played: null });
    this.#player = player;
  }

  /**
   * Plays a scene from its beginning, at the tempo that was typed for it or at its own.
   * @throws {Error} with a sentence
   */
  play(scene: PreviewReadScene): Promise<void> {
    if (this.view.chosenKey !== scene.key) {
      this.change({ chosenKey: scene.key, typedTempoBpm: null });
    }
    this.change({ played: scene });
    return this.#player.play(scene.key, usableTracks(scene), tempoOf(scene, this.view));
  }

  stop(): void {
    this.#player.stop();
  }

  /** Goes on with what plays as the scenes are by now; what is no more could not be stopped by anybody. */
  async follow(scenes: readonly PreviewScene[]): Promise<void> {
    const { played } = this.view;
    if (played === null || this.#player.view.sceneKey !== played.key) return;
    const scene = goOnWith(played, scenes);
    if (scene === undefined) return this.stop();
    this.change({ played: scene });
    this.#player.setTempo(tempoOf(scene, this.view));
    await this.#player.edit(scene.key, usableTracks(scene));
  }

  /** Takes another tempo for the chosen scene, also while it plays; null is its own. */
  setTempo(scene: PreviewReadScene, typedTempoBpm: number | null): void {
    this.change({ chosenKey: scene.key, typedTempoBpm });
    this.#player.setTempo(tempoOf(scene, this.view));
  }
}
