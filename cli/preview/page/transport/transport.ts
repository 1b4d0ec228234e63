import type { PreviewReadScene } from "../../../../core/protocol/preview-api.ts";
import { ViewStore } from "../../../../web/view-store.ts";
import type { ScenePlayer } from "../playback/scene-player.ts";
import { tempoOf, type TransportView } from "./chosen-scene.ts";
import { usableTracks } from "../../../../core/layout/usable-tracks.ts";

/** What is played when somebody says Play, and how fast (rule V6). */
export class Transport extends ViewStore<TransportView> {
  readonly #player: ScenePlayer;

  constructor(player: ScenePlayer) {
    super({ chosenKey: null, typedTempoBpm: null });
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
    return this.#player.play(scene.key, usableTracks(scene), tempoOf(scene, this.view));
  }

  stop(): void {
    this.#player.stop();
  }

  /** Goes on with a scene as it is by now, where it plays. */
  async follow(scene: PreviewReadScene): Promise<void> {
    if (this.#player.view.sceneKey !== scene.key) return;
    this.#player.setTempo(tempoOf(scene, this.view));
    await this.#player.edit(scene.key, usableTracks(scene));
  }

  /** Takes another tempo for the chosen scene, also while it plays; null is its own. */
  setTempo(scene: PreviewReadScene, typedTempoBpm: number | null): void {
    this.change({ chosenKey: scene.key, typedTempoBpm });
    this.#player.setTempo(tempoOf(scene, this.view));
  }
}
