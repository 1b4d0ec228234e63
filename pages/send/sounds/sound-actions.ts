import { MAX_PACKAGE_BYTES, MAX_SOUNDS } from "../../../core/limits.ts";
import { PACKAGE_SIZE } from "../../../core/text/format-limit.ts";
import { uniqueNames } from "../../../core/guess/guess-package-title.ts";
import type { ClipSelection } from "../../kit/clip-list/clip-row.ts";
import { t } from "../../kit/page-language.ts";
import type { PageStore } from "../page-view.ts";
import {
  choiceOf,
  bytesOf,
  type PageSound,
  type RefusedFile,
  type SoundEdits,
} from "./page-sound.ts";
import { explainIn } from "../../../client/send/words/explain.ts";
import type { FoundFile } from "./sound-files.ts";
import { guessFile } from "./guessed-package.ts";
import { type Questions, questionsOf } from "./sound-row.ts";
import { readSound } from "./read-sound.ts";
import { BPM, numberOf } from "./read-number.ts";

/** A person's actions on the sounds before sending them. */
export class SoundActions {
  readonly #store: PageStore;
  #lastKey = 0;
  /** The last read file. Files are read one after another, because each may be large. */
  #reading: Promise<unknown> = Promise.resolve();

  constructor(store: PageStore) {
    this.#store = store;
  }

  /** Reads the files that are added from now on after something else, such as the restored draft. */
  readAfter(other: Promise<unknown>): void {
    this.#reading = Promise.all([this.#reading, other]);
  }

  /**
   * Reads the files, adds those that can be sent and lists the others with the reasons.
   * @param unreadable names of files that the browser could not open
   */
  async add(files: readonly FoundFile[], unreadable: readonly string[] = []): Promise<void> {
    if (files.length + unreadable.length === 0) return;
    this.#store.change({ reading: this.#store.view.reading + files.length, shown: null });
    for (const name of unreadable) this.#refuse(name, t("page.unreadable", { file: name }));
    const areAdded = await Promise.all(files.map((file) => this.#next(file)));
    const added = areAdded.filter(Boolean).length;
    const notAdded = files.length - added + unreadable.length;
    const announcement = t("page.added", { count: added });
    const problem = notAdded > 0 ? ` ${t("page.notAdded", { count: notAdded })}` : "";
    this.#store.change({ announcement: announcement + problem });
  }

  /** Sets properties of these sounds. */
  edit(keys: ReadonlySet<string>, edits: SoundEdits): void {
    this.#changeSounds((sound) =>
      keys.has(sound.key) ? { ...sound, edits: { ...sound.edits, ...edits } } : sound,
    );
  }

  remove(keys: readonly string[]): void {
    const sounds = this.#store.view.sounds.filter(({ key }) => !keys.includes(key));
    this.#store.change({ sounds, sendError: null });
  }

  select(selection: ClipSelection): void {
    this.#store.change({ selection });
  }

  /** Answers a question for all sounds in question. */
  answer(question: keyof Questions, edits: SoundEdits): void {
    this.edit(keysOf(questionsOf(this.#store.view)[question]), edits);
  }

  /** Answers for all loops without a tempo: sets the likely length of each. */
  answerLikelyTempo(): void {
    for (const { key, guess } of questionsOf(this.#store.view).tempo) {
      if (guess.likely === null) continue;
      this.edit(new Set([key]), { lengthBeats: String(guess.likely.lengthBeats) });
    }
  }

  /** Opens or closes the list of files that can't be sent. */
  listRefused(isListingRefused: boolean): void {
    this.#store.change({ isListingRefused });
  }

  /** Clears the files that can't be sent. */
  clearRefused(): void {
    this.#store.change({ refused: [], isListingRefused: false });
  }

  nameTitle(title: string): void {
    this.#store.change({ title, sendError: null });
  }

  /** Sets the tempo of the package, and guesses again with it; properties that a person has set stay. */
  setTempo(bpm: string): void {
    const packageBpm = numberOf(bpm, BPM);
    this.#store.change({ bpm });
    this.#changeSounds((sound) => {
      const { title } = sound.guess;
      return { ...sound, guess: { ...guessFile(sound, packageBpm), title } };
    });
  }

  #changeSounds(change: (sound: PageSound) => PageSound): void {
    this.#store.change({ sounds: this.#store.view.sounds.map(change), sendError: null });
  }

  #next(file: FoundFile): Promise<boolean> {
    const read = this.#reading.then(() => this.#read(file));
    this.#reading = read;
    return read;
  }

  /** Reads a file and adds it. Resolves with whether it was added; never rejects. */
  async #read(found: FoundFile): Promise<boolean> {
    const { name } = found.file;
    try {
      // This check comes before reading, because a folder may hold hundreds of files and decoding takes long.
      const isTooMany = this.#store.view.sounds.length >= MAX_SOUNDS;
      if (isTooMany) this.#refuse(name, null);
      else await this.#append(found);
      return !isTooMany;
    } catch (error) {
      this.#refuse(name, explainIn(t, error));
      return false;
    } finally {
      this.#store.change({ reading: this.#store.view.reading - 1 });
    }
  }

  async #append(found: FoundFile): Promise<void> {
    const packageBpm = numberOf(this.#store.view.bpm ?? "", BPM);
    const sound = await readSound(found, this.#nextKey(), packageBpm);
    this.#assertFits(sound);
    const { sounds } = this.#store.view;
    const names = [...sounds.map((known) => choiceOf(known).name), sound.guess.title];
    const title = uniqueNames(names).at(-1) ?? sound.guess.title;
    const named = { ...sound, guess: { ...sound.guess, title } };
    this.#store.change({ sounds: [...sounds, named], sendError: null });
  }

  #refuse(name: string, sentence: string | null): void {
    const refusedFile: RefusedFile = { key: this.#nextKey(), name, sentence };
    this.#store.change({ refused: [...this.#store.view.refused, refusedFile] });
  }

  /** Returns a key that no sound has; some sounds may come from before a reload. */
  #nextKey(): string {
    this.#lastKey += 1;
    const key = `sound-${this.#lastKey}`;
    return this.#store.view.sounds.some((sound) => sound.key === key) ? this.#nextKey() : key;
  }

  #assertFits({ source, fileName }: PageSound): void {
    if (bytesOf(this.#store.view.sounds) + source.size > MAX_PACKAGE_BYTES) {
      throw new Error(t("page.noRoom", { file: fileName, size: PACKAGE_SIZE }));
    }
  }
}

function keysOf(sounds: readonly PageSound[]): ReadonlySet<string> {
  return new Set(sounds.map(({ key }) => key));
}
