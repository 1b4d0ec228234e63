import { MAX_PACKAGE_BYTES, MAX_SOUNDS } from "../../../core/limits.ts";
import { countOf } from "../../../core/text/count-of.ts";
import type { PageStore } from "../page-store.ts";
import type { PageSound, RefusedFile } from "./page-sound.ts";
import { readSound } from "./read-sound.ts";

/** What a person does with the sounds before they are sent. */
export class SoundActions {
  readonly #store: PageStore;
  #lastKey = 0;
  /** Files are read one after another: each may be large. */
  #reading: Promise<unknown> = Promise.resolve();

  constructor(store: PageStore) {
    this.#store = store;
  }

  /** Reads the files and adds those that can be sent; says of the others why not. */
  async add(files: readonly File[]): Promise<void> {
    if (files.length === 0) return;
    this.#store.change({ reading: this.#store.view.reading + files.length });
    const before = this.#store.view;
    const all = Promise.all(files.map((file) => this.#next(file)));
    await all;
    const { sounds, refused } = this.#store.view;
    const added = sounds.length - before.sounds.length;
    const notAdded = refused.length - before.refused.length;
    const announcement = `${countOf(added, "sound")} added.`;
    this.#store.change({
      announcement:
        notAdded > 0 ? `${announcement} ${countOf(notAdded, "file")} can’t be sent.` : announcement,
    });
  }

  choose(key: string, choice: Partial<PageSound>): void {
    const sounds = this.#store.view.sounds.map((sound) =>
      sound.key === key ? { ...sound, ...choice } : sound,
    );
    this.#store.change({ sounds, sendError: null });
  }

  remove(key: string): void {
    const sounds = this.#store.view.sounds.filter((sound) => sound.key !== key);
    this.#store.change({ sounds, sendError: null });
  }

  /** Forgets the files that can't be sent. */
  clearRefused(): void {
    this.#store.change({ refused: [] });
  }

  nameTitle(title: string): void {
    this.#store.change({ title, sendError: null });
  }

  setTempo(bpm: string): void {
    this.#store.change({ bpm, sendError: null });
  }

  #next(file: File): Promise<void> {
    const read = this.#reading.then(() => this.#read(file));
    this.#reading = read;
    return read;
  }

  /** Never rejects. */
  async #read(file: File): Promise<void> {
    this.#lastKey += 1;
    const key = `sound-${this.#lastKey}`;
    try {
      const sound = await readSound(file, key);
      this.#makeSureOfRoomFor(sound, file.name);
      this.#done({ sounds: [...this.#store.view.sounds, sound] });
    } catch (error) {
      const sentence = error instanceof Error ? error.message : String(error);
      const refusedFile: RefusedFile = { key, sentence };
      this.#done({ refused: [...this.#store.view.refused, refusedFile] });
    }
  }

  #makeSureOfRoomFor({ source }: PageSound, name: string): void {
    const { sounds } = this.#store.view;
    if (sounds.length >= MAX_SOUNDS) {
      throw new Error(`${name} is one too many: a package holds ${MAX_SOUNDS} sounds.`);
    }
    const bytes = sounds.reduce((sum, sound) => sum + sound.source.size, source.size);
    if (bytes > MAX_PACKAGE_BYTES) {
      throw new Error(`${name} does not fit: the sounds would be more than 200 MB together.`);
    }
  }

  #done(change: { sounds: PageSound[] } | { refused: RefusedFile[] }): void {
    this.#store.change({ ...change, reading: this.#store.view.reading - 1, sendError: null });
  }
}
