import { MAX_PACKAGE_BYTES, MAX_SOUNDS } from "../../../core/limits.ts";
import { countOf } from "../../../core/text/count-of.ts";
import { sentenceOf } from "../../../core/text/sentence-of.ts";
import { PACKAGE_SIZE } from "../../../core/text/format-limit.ts";
import type { PageStore } from "../page-store.ts";
import type { PageSound, RefusedFile } from "./page-sound.ts";
import { readSound } from "./read-sound.ts";

/** What a person does with the sounds before sending them. */
export class SoundActions {
  readonly #store: PageStore;
  #lastKey = 0;
  /** Files are read one after another, because each may be large. */
  #reading: Promise<unknown> = Promise.resolve();

  constructor(store: PageStore) {
    this.#store = store;
  }

  /**
   * Reads the files, adds those that can be sent and says why the others can't.
   * @param unreadable names of files that the browser could not open
   */
  async add(files: readonly File[], unreadable: readonly string[] = []): Promise<void> {
    if (files.length + unreadable.length === 0) return;
    this.#store.change({ reading: this.#store.view.reading + files.length });
    for (const name of unreadable) this.#refuse(name, `${name} can't be read.`);
    const areAdded = await Promise.all(files.map((file) => this.#next(file)));
    const added = areAdded.filter(Boolean).length;
    const notAdded = files.length - added + unreadable.length;
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

  /** Clears the files that can't be sent. */
  clearRefused(): void {
    this.#store.change({ refused: [] });
  }

  nameTitle(title: string): void {
    this.#store.change({ title, sendError: null });
  }

  setTempo(bpm: string): void {
    this.#store.change({ bpm, sendError: null });
  }

  #next(file: File): Promise<boolean> {
    const read = this.#reading.then(() => this.#read(file));
    this.#reading = read;
    return read;
  }

  /** Resolves with whether it was added; never rejects. */
  async #read(file: File): Promise<boolean> {
    try {
      // Checked before reading: a folder may hold hundreds, and decoding takes long.
      const isTooMany = this.#store.view.sounds.length >= MAX_SOUNDS;
      if (isTooMany) this.#refuse(file.name, null);
      else await this.#append(file);
      return !isTooMany;
    } catch (error) {
      this.#refuse(file.name, sentenceOf(error));
      return false;
    } finally {
      this.#store.change({ reading: this.#store.view.reading - 1 });
    }
  }

  async #append(file: File): Promise<void> {
    const sound = await readSound(file, this.#nextKey());
    this.#assertFits(sound, file.name);
    this.#store.change({ sounds: [...this.#store.view.sounds, sound], sendError: null });
  }

  #refuse(name: string, sentence: string | null): void {
    const refusedFile: RefusedFile = { key: this.#nextKey(), name, sentence };
    this.#store.change({ refused: [...this.#store.view.refused, refusedFile] });
  }

  #nextKey(): string {
    this.#lastKey += 1;
    return `sound-${this.#lastKey}`;
  }

  #assertFits({ source }: PageSound, name: string): void {
    const { sounds } = this.#store.view;
    const bytes = sounds.reduce((sum, sound) => sum + sound.source.size, source.size);
    if (bytes > MAX_PACKAGE_BYTES) {
      throw new Error(
        `${name} doesn’t fit: the sounds would be more than ${PACKAGE_SIZE} together.`,
      );
    }
  }
}
