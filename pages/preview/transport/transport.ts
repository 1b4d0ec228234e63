import { usableTracks } from "../../../core/layout/usable-tracks.ts";
import type { PreviewReadScene, PreviewScene } from "../../../core/protocol/preview-api.ts";
import type { ScenePlayer } from "../../kit/playback/scene-player.ts";
import { ViewStore } from "../../../core/view-store.ts";
import { tempoOf, type TransportView, updatePlayed } from "./chosen-scene.ts";

/** Plays scenes, each at its own or its typed tempo (rule V6). */
export class Transport extends ViewStore<TransportView> {
  readonly #player: ScenePlayer;

  constructor(player: ScenePlayer) {
    super({ typedTempi: new Map(), played: new Map() });
    this.#player = player;
  }

  /** Plays a scene from its start, or on the next bar of the one that plays. @throws {Error} with a sentence */
  play(scene: PreviewReadScene): Promise<void> {
    const { sceneKey } = this.#player.view;
    const playing = sceneKey === null ? undefined : this.view.played.get(sceneKey);
    const kept = playing === undefined ? [scene] : [playing, scene];
    this.change({ played: new Map(kept.map((one) => [one.key, one])) });
    const { key, beatsPerBar } = scene;
    return this.#player.play(key, usableTracks(scene), tempoOf(scene, this.view), { beatsPerBar });
  }

  stop(): void {
    this.#player.stop();
  }

  /** Applies edits to the scenes that play. Stops a scene that was removed and so has no button any more. */
  async follow(scenes: readonly PreviewScene[]): Promise<void> {
    const { sceneKey, nextKey } = this.#player.view;
    const edits: Promise<void>[] = [];
    for (const played of this.view.played.values()) {
      if (played.key !== sceneKey && played.key !== nextKey) continue;
      const scene = updatePlayed(played, scenes);
      if (scene === undefined) return this.stop();
      if (scene === played) continue;
      this.change({ played: new Map([...this.view.played, [scene.key, scene]]) });
      this.#player.setTempo(tempoOf(scene, this.view), scene.key);
      edits.push(this.#player.edit(scene.key, usableTracks(scene)));
    }
    await Promise.all(edits);
  }

  /** Sets the tempo of a scene, also while it plays; null for its own. */
  setTempo(scene: PreviewReadScene, typedBpm: number | null): void {
    const typedTempi = new Map(this.view.typedTempi);
    if (typedBpm === null) typedTempi.delete(scene.key);
    else typedTempi.set(scene.key, typedBpm);
    this.change({ typedTempi });
    this.#player.setTempo(tempoOf(scene, this.view), scene.key);
  }
}
