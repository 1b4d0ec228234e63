import type { PreviewReadScene, PreviewScene } from "../../../../core/protocol/preview-api.ts";
import { ViewStore } from "../../../../web/view-store.ts";
import type { ScenePlayer } from "../playback/scene-player.ts";
import { updatePlayed, tempoOf, type TransportView } from "./chosen-scene.ts";
import { usableTracks } from "../../../../core/layout/usable-tracks.ts";

/** Plays the chosen scene at the typed tempo (rule V6). */
export class Transport extends ViewStore<TransportView> {
  readonly #player: ScenePlayer;

  constructor(player: ScenePlayer) {
    super({ chosenKey: null, typedTempoBpm: null, played: null });
    this.#player = player;
  }

  /** Plays a scene from its start. @throws {Error} with a sentence */
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

  /** Applies edits to the playing scene. Stops one that was removed, which has no button any more. */
  async follow(scenes: readonly PreviewScene[]): Promise<void> {
    const { played } = this.view;
    if (played === null || this.#player.view.sceneKey !== played.key) return;
    const scene = updatePlayed(played, scenes);
    if (scene === undefined) return this.stop();
    this.change({ played: scene });
    this.#player.setTempo(tempoOf(scene, this.view));
    await this.#player.edit(scene.key, usableTracks(scene));
  }

  /** Sets the tempo of a scene, also while it plays; null for its own. */
  setTempo(scene: PreviewReadScene, typedTempoBpm: number | null): void {
    this.change({ chosenKey: scene.key, typedTempoBpm });
    this.#player.setTempo(tempoOf(scene, this.view));
  }
}
