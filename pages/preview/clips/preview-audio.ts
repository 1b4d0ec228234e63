import type { ClipAudio } from "../../kit/clip-list/clip-row.ts";
import { ClipPlayer } from "../../kit/playback/clip-player.ts";
import type { ScenePlayer } from "../../kit/playback/scene-player.ts";
import { tempoOf } from "../transport/chosen-scene.ts";
import type { Transport } from "../transport/transport.ts";
import type { SoundRow } from "./clip-rows.ts";

/** Draws the sounds of the clip list, and plays each alone at its scene's tempo. */
export class PreviewAudio implements ClipAudio {
  readonly #player: ScenePlayer;
  readonly #alone: ClipPlayer;
  #rows: ReadonlyMap<string, SoundRow> = new Map();
  /** The sound that was last started in the list. */
  #started: SoundRow | null = null;

  constructor(player: ScenePlayer, transport: Transport) {
    this.#player = player;
    this.#alone = new ClipPlayer({
      player,
      clipOf: (key) => {
        const found = this.#rows.get(key);
        if (found === undefined || "error" in found.track) return null;
        return { sceneKey: found.scene.key, track: found.track };
      },
      tempoNow: () =>
        this.#started === null ? null : tempoOf(this.#started.scene, transport.view),
    });
    transport.subscribe(() => {
      if (this.#started !== null) this.#alone.retune([this.#started.row.key]);
    });
  }

  /** Sets the rows that the list shows. */
  setRows(rows: readonly SoundRow[]): void {
    this.#rows = new Map(rows.map((one) => [one.row.key, one]));
  }

  outline(key: string): Promise<readonly number[]> {
    return this.#alone.outline(key);
  }

  toggle(key: string): Promise<void> {
    this.#started = this.#rows.get(key) ?? null;
    return this.#alone.toggle(key);
  }

  isPlaying(key: string): boolean {
    return this.#alone.isPlaying(key);
  }

  isMoving(key: string): boolean {
    return this.#alone.isMoving(key);
  }

  position(key: string): number | null {
    return this.#alone.position(key);
  }

  subscribe(listener: () => void): () => void {
    return this.#player.subscribe(listener);
  }
}
