import { MAX_PACKAGE_BYTES, MAX_SOUNDS } from "../../core/limits.ts";
import { PACKAGE_SIZE } from "../../core/text/format-limit.ts";
import type * as Audio from "../audio/index.ts";
import { blobOf, fileNameOf } from "../send/sound-bytes.ts";
import { explainIn } from "../send/words/explain.ts";
import type { ElementDeps } from "./element-view.ts";
import type { ElementSound, ListedSound } from "./listed-sound.ts";

/** Adds, edits and removes sounds before they are sent. No method rejects. */
export class SoundActions {
  readonly #deps: ElementDeps;
  /** The last read. Sounds are read one after another, because each may be large. */
  #reading: Promise<unknown> = Promise.resolve();
  #lastId = 0;
  /** Number of `replace` calls, so that sounds still being read from before the last one are dropped. */
  #generation = 0;

  constructor(deps: ElementDeps) {
    this.#deps = deps;
  }

  /** Adds sounds, or shows why they can't be sent. Resolves once all are read. */
  async add(sounds: readonly ElementSound[]): Promise<void> {
    if (sounds.length === 0) return;
    const { store, t } = this.#deps;
    const generation = this.#generation;
    store.change({ reading: store.view.reading + sounds.length, errors: [], sent: null });
    const areAdded = await Promise.all(sounds.map((sound) => this.#next(sound, generation)));
    const count = areAdded.filter(Boolean).length;
    if (count > 0) store.change({ announcement: t("page.added", { count }) });
  }

  /** Replaces all sounds. */
  async replace(sounds: readonly ElementSound[]): Promise<void> {
    this.#generation += 1;
    this.#deps.store.change({ sounds: [], title: null, errors: [] });
    await this.add(sounds);
  }

  edit(id: string, change: Partial<ListedSound>): void {
    this.#change((sound) => (sound.id === id ? { ...sound, ...change } : sound));
  }

  /** Sets the tempo and drops a guessed length, which then follows from the tempo. */
  setBpm(id: string, bpm: string): void {
    this.#change((sound) =>
      sound.id === id
        ? { ...sound, bpm, draft: { ...sound.draft, lengthBeats: undefined } }
        : sound,
    );
  }

  remove(id: string): void {
    const { store } = this.#deps;
    store.change({ sounds: store.view.sounds.filter((sound) => sound.id !== id), errors: [] });
  }

  setTitle(title: string): void {
    this.#deps.store.change({ title });
  }

  #change(change: (sound: ListedSound) => ListedSound): void {
    const { store } = this.#deps;
    store.change({ sounds: store.view.sounds.map(change), errors: [] });
  }

  #next(sound: ElementSound, generation: number): Promise<boolean> {
    const read = this.#reading.then(() => this.#read(sound, generation));
    this.#reading = read;
    return read;
  }

  async #read(sound: ElementSound, generation: number): Promise<boolean> {
    const { store, settings, t, emit } = this.#deps;
    try {
      this.#lastId += 1;
      const listed = await readListed(sound, String(this.#lastId), settings().bpm);
      const { guessTitle, uniqueNames } = await loadAudio();
      if (generation !== this.#generation) return false;
      this.#assertFits(listed);
      const before = store.view.sounds;
      const name = uniqueNames([...before, listed].map((one) => one.name)).at(-1) ?? listed.name;
      const sounds = [...before, { ...listed, name }];
      const suggestion = guessTitle({ fileNames: sounds.map((one) => one.name) });
      store.change({ sounds, suggestion });
      return true;
    } catch (error) {
      store.change({ errors: [...store.view.errors, explainIn(t, error)] });
      emit("error", { error });
      return false;
    } finally {
      store.change({ reading: store.view.reading - 1 });
    }
  }

  #assertFits({ wav, name: file }: ListedSound): void {
    const { store, t } = this.#deps;
    const { sounds } = store.view;
    if (sounds.length >= MAX_SOUNDS) {
      throw new Error(t("page.oneTooMany", { file, max: MAX_SOUNDS }));
    }
    if (bytesOf(sounds) + wav.size > MAX_PACKAGE_BYTES) {
      throw new Error(t("page.noRoom", { file, size: PACKAGE_SIZE }));
    }
  }
}

/** Returns the size of these sounds' files together. */
export function bytesOf(sounds: readonly ListedSound[]): number {
  return sounds.reduce((sum, { wav }) => sum + wav.size, 0);
}

/** Loads `@soundferry/client/audio`, which is as large as the element, once a sound needs it. */
export function loadAudio(): Promise<typeof Audio> {
  return import("../audio/index.ts");
}

/**
 * Reads a sound, converts it to WAV and guesses the omitted fields.
 * @param packageBpm the app's tempo
 * @throws {ClientError} why it can't be sent
 */
async function readListed(
  { source, ...draft }: ElementSound,
  id: string,
  packageBpm: number | undefined,
): Promise<ListedSound> {
  const { convert, guess, wavOf } = await loadAudio();
  const label = draft.name ?? `Sound ${id}`;
  const blob = "numberOfChannels" in source ? await wavOf(source, label) : blobOf(source, label);
  const fileName = fileNameOf(blob) ?? draft.file ?? draft.name ?? "";
  const { wav, header, hints } = await convert(blob, { name: fileName || label });
  const guessed = guess(fileName, hints, header, { packageBpm });
  const bpm = draft.bpm ?? (draft.lengthBeats === undefined ? guessed.bpm : null);
  const guessedBeats = draft.bpm === undefined ? guessed.lengthBeats : null;
  return {
    id: draft.id ?? id,
    name: draft.name ?? (fileName === "" ? label : guessed.title),
    kind: draft.kind ?? guessed.kind,
    bpm: bpm === null ? "" : String(bpm),
    wav,
    draft: {
      ...draft,
      role: draft.role ?? guessed.role ?? undefined,
      lengthBeats: draft.lengthBeats ?? guessedBeats ?? undefined,
    },
  };
}
