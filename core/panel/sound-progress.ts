import type { Sound } from "../manifest/manifest.ts";
import type { PanelRunSound, PanelRunSounds } from "../protocol/panel-api.ts";

/** The progress of each sound of a run, for the panel's rows (rule N3). */
export class SoundProgress {
  readonly #sounds: Map<string, PanelRunSound>;

  /** @param soundIds the sounds that the run is about */
  constructor(soundIds: readonly string[]) {
    this.#sounds = new Map(soundIds.map((id) => [id, { state: "waiting" }]));
  }

  /** Records a sound's received bytes. @param seenBytes received so far; fewer than before after a restart */
  noteBytes({ id, bytes }: Pick<Sound, "id" | "bytes">, seenBytes: number): void {
    const isSized = bytes !== undefined && bytes > 0;
    const share = isSized ? { progress: roundShare(seenBytes / bytes) } : {};
    this.#sounds.set(id, { state: "fetching", ...share });
  }

  note(soundId: string, state: "fetched" | "placed" | "failed"): void {
    this.#sounds.set(soundId, { state });
  }

  /** Returns a copy in an object without prototype, so that any id is a safe key. */
  snapshot(): PanelRunSounds {
    return Object.assign(Object.create(null), Object.fromEntries(this.#sounds));
  }
}

function roundShare(share: number): number {
  return Math.round(Math.min(1, share) * 1000) / 1000;
}

/** Returns a counter that adds up the bytes of all sounds and reports every half percent: a listener may be slow. */
export function countReceived(
  sounds: readonly Sound[],
  onProgress: (doneBytes: number, totalBytes: number) => void,
): (sound: Sound, seenBytes: number) => void {
  const seen = new Map<string, number>();
  let totalBytes = sounds.reduce((sum, sound) => sum + (sound.bytes ?? 0), 0);
  let doneBytes = 0;
  let reportedBytes = 0;
  return (sound, seenBytes) => {
    const gained = seenBytes - (seen.get(sound.id) ?? 0);
    seen.set(sound.id, seenBytes);
    doneBytes += gained;
    if (sound.bytes === undefined) totalBytes += gained;
    const isWorthReporting = Math.abs(doneBytes - reportedBytes) >= totalBytes / 200;
    if (!isWorthReporting && doneBytes < totalBytes) return;
    reportedBytes = doneBytes;
    onProgress(doneBytes, totalBytes);
  };
}
