import type { ClipAudio } from "../../kit/clip-list/clip-row.ts";
import type { SoundPlayer } from "../../kit/sound-player.ts";
import { t } from "../../kit/page-language.ts";
import type { SoundCache } from "./sound-cache.ts";

/** A sound that a clip list can play. */
export interface HeardSound {
  readonly source: Blob;
  readonly isLoop: boolean;
}

/** Gives a clip list the sounds on this page. */
export class PageAudio implements ClipAudio {
  readonly #find: (key: string) => HeardSound | undefined;
  readonly #cache: SoundCache;
  readonly #player: SoundPlayer<Blob>;

  /** @param find the sound of a row, while it is on the page */
  constructor(
    find: (key: string) => HeardSound | undefined,
    cache: SoundCache,
    player: SoundPlayer<Blob>,
  ) {
    this.#find = find;
    this.#cache = cache;
    this.#player = player;
  }

  async outline(key: string): Promise<readonly number[]> {
    const { source } = this.#get(key);
    return this.#cache.outline(source);
  }

  async toggle(key: string): Promise<void> {
    const { source, isLoop } = this.#get(key);
    if (this.#player.plays(source)) this.#player.stop();
    else await this.#player.play(source, () => this.#cache.decoded(source), isLoop);
  }

  isPlaying(key: string): boolean {
    const sound = this.#find(key);
    return sound !== undefined && this.#player.plays(sound.source);
  }

  position(key: string): number | null {
    const sound = this.#find(key);
    return sound === undefined ? null : this.#player.position(sound.source);
  }

  subscribe(listener: () => void): () => void {
    return this.#player.subscribe(listener);
  }

  #get(key: string): HeardSound {
    const sound = this.#find(key);
    if (sound === undefined) throw new Error(t("page.notHere"));
    return sound;
  }
}
