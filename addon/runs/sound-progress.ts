import type { Sound } from "../../core/manifest/manifest.ts";
import type { PanelRunSound, PanelRunSounds } from "../../core/protocol/panel-api.ts";

/** How far each sound of a run is, for the panel's rows (rule N3). */
export class SoundProgress {
  readonly #sounds: Map<string, PanelRunSound>;

  /** @param soundIds what the run is about */
  constructor(soundIds: readonly string[]) {
    this.#sounds = new Map(soundIds.map((id) => [id, { state: "waiting" }]));
  }

  /** @param seenBytes received so far; fewer than before after a restart */
  noteBytes({ id, bytes }: Pick<Sound, "id" | "bytes">, seenBytes: number): void {
    const isSized = bytes !== undefined && bytes > 0;
    const share = isSized ? { progress: roundShare(seenBytes / bytes) } : {};
    this.#sounds.set(id, { state: "fetching", ...share });
  }

  note(soundId: string, state: "fetched" | "placed" | "failed"): void {
    this.#sounds.set(soundId, { state });
  }

  /** A copy, in an object without prototype: any id is a safe key. */
  snapshot(): PanelRunSounds {
    return Object.assign(Object.create(null), Object.fromEntries(this.#sounds));
  }
}

function roundShare(share: number): number {
  return Math.round(Math.min(1, share) * 1000) / 1000;
}
