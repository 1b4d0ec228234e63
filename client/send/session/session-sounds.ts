import { MAX_PACKAGE_BYTES, MAX_SOUNDS } from "../../../core/limits.ts";
import type { SoundGuess } from "../../../core/guess/sound-guess.ts";
import { PACKAGE_SIZE } from "../../../core/text/format-limit.ts";
import { blobOf, fileNameOf } from "../sound-bytes.ts";
import { explainIn } from "../words/explain.ts";
import type { AudioTools } from "./audio-tools.ts";
import { askBeforeSending, draftOfSession } from "./draft-of-session.ts";
import {
  bytesOf,
  choiceOf,
  editsOf,
  type FoundSound,
  type SessionSound,
  type SoundEdits,
} from "./session-sound.ts";
import type {
  Outgoing,
  RefusedSound,
  SentSound,
  SessionDeps,
  SessionView,
} from "./session-view.ts";
import { SessionListening } from "./session-listening.ts";
import { BPM, numberOf } from "./typed-numbers.ts";

/** Dependencies of a session's sounds. */
export interface SoundDeps extends Pick<SessionDeps, "store" | "t" | "settings" | "emit"> {
  readonly audio: AudioTools;
  /** Describes the sounds for the list of sent packages. Default: by id and name. */
  readonly describe?: (view: SessionView) => readonly SentSound[];
}

/** The sounds before they are sent. No method rejects. */
export class SessionSounds {
  readonly #deps: SoundDeps;
  readonly #listening: SessionListening;
  /** The last read. Sounds are read one after another, because each may be large. */
  #reading: Promise<unknown> = Promise.resolve();
  #lastKey = 0;
  /** Number of `replace` calls, so that sounds still being read from before the last one are dropped. */
  #generation = 0;

  constructor(deps: SoundDeps) {
    this.#deps = deps;
    this.#listening = new SessionListening(deps.audio);
  }

  /** Reads the sounds that are added from now on after something else, such as a stored draft. */
  readAfter(other: Promise<unknown>): void {
    this.#reading = Promise.all([this.#reading, other]);
  }

  /**
   * Reads the sounds, adds those that can be sent and lists the others with the reasons.
   * @param unreadable names of files that the browser could not open
   */
  async add(
    sounds: readonly FoundSound[],
    { unreadable = [] }: { readonly unreadable?: readonly string[] } = {},
  ): Promise<void> {
    if (sounds.length + unreadable.length === 0) return;
    const { store, t } = this.#deps;
    const generation = this.#generation;
    store.change({ reading: store.view.reading + sounds.length, error: null });
    for (const name of unreadable) this.#refuse(name, t("page.unreadable", { file: name }));
    const areAdded = await Promise.all(sounds.map((sound) => this.#next(sound, generation)));
    const added = areAdded.filter(Boolean).length;
    const notAdded = sounds.length - added + unreadable.length;
    const problem = notAdded > 0 ? ` ${t("page.notAdded", { count: notAdded })}` : "";
    store.change({ announcement: t("page.added", { count: added }) + problem });
  }

  /** Replaces all sounds. */
  async replace(sounds: readonly FoundSound[]): Promise<void> {
    this.#generation += 1;
    this.#deps.store.change({ title: null, refused: [] });
    this.#set([]);
    await this.add(sounds);
  }

  /** Puts stored sounds before those that were added meanwhile. */
  restore(sounds: readonly SessionSound[]): void {
    this.#set([...sounds, ...this.#deps.store.view.sounds]);
  }

  /** Sets properties of these sounds. */
  edit(keys: ReadonlySet<string>, edits: SoundEdits): void {
    this.#change((sound) =>
      keys.has(sound.key) ? { ...sound, edits: { ...sound.edits, ...edits } } : sound,
    );
  }

  /** Removes sounds, and sounds that can't be sent. */
  remove(keys: readonly string[]): void {
    const { sounds, refused } = this.#deps.store.view;
    const stays = ({ key }: { readonly key: string }): boolean => !keys.includes(key);
    this.#deps.store.change({ refused: refused.filter(stays) });
    if (!sounds.every(stays)) this.#set(sounds.filter(stays));
  }

  /** Describes the sounds as a package to send; null without sounds. */
  outgoing(): Outgoing | null {
    const { store, t, settings, describe } = this.#deps;
    const { view } = store;
    if (view.sounds.length === 0) return null;
    const plain = view.sounds.map((sound) => ({ id: sound.key, name: choiceOf(sound).name }));
    const draft = draftOfSession(view, settings());
    const sounds = describe?.(view) ?? plain;
    return { title: draft.title, sounds, draft, question: askBeforeSending(t, view) };
  }

  setTitle(title: string): void {
    this.#deps.store.change({ title, error: null, ...outdated(this.#deps.store.view) });
  }

  /** Sets the tempo of the package, and guesses again with it; properties that someone has set stay. */
  setTempo(bpm: string): void {
    this.#deps.store.change({ bpm });
    this.#change((sound) => this.#guessedAgain(sound));
  }

  /** Guesses again; the title stays unique. */
  #guessedAgain(sound: SessionSound): SessionSound {
    const { title } = sound.guess;
    return { ...sound, guess: { ...this.#guess(sound), title } };
  }

  /** Shows what was heard, unless the sounds are being sent. */
  #listen(added: SessionSound): void {
    this.#listening.add(added, (heard) => {
      if (this.#deps.store.view.attempt !== null) return;
      this.#change((sound) =>
        sound.key === added.key && sound.source === added.source
          ? this.#guessedAgain({ ...sound, heard })
          : sound,
      );
    });
  }

  #change(change: (sound: SessionSound) => SessionSound): void {
    this.#set(this.#deps.store.view.sounds.map(change));
  }

  #set(sounds: readonly SessionSound[]): void {
    const { store } = this.#deps;
    const suggestion = sounds.length === 0 ? "" : this.#suggest(sounds);
    store.change({ sounds, suggestion, error: null, ...outdated(store.view) });
  }

  #suggest(sounds: readonly SessionSound[]): string {
    const fileNames = sounds.map((sound) => sound.fileName || choiceOf(sound).name);
    return this.#deps.audio.guessTitle({ folderName: sharedFolder(sounds), fileNames });
  }

  #guess({ fileName, folderName, header, hints, heard }: Omit<SessionSound, "guess">): SoundGuess {
    const { store, settings, audio } = this.#deps;
    const packageBpm = numberOf(store.view.bpm ?? "", BPM) ?? settings().bpm;
    const context = { folderName: folderName ?? undefined, packageBpm, heard };
    return audio.guess(fileName, hints, header, context);
  }

  #next(sound: FoundSound, generation: number): Promise<boolean> {
    const read = this.#reading.then(() => this.#read(sound, generation));
    this.#reading = read;
    return read;
  }

  /** Reads a sound and adds it. Resolves with whether it was added. */
  async #read(sound: FoundSound, generation: number): Promise<boolean> {
    const { store, t, emit } = this.#deps;
    const key = this.#nextKey();
    const name = fileNameIn(sound) || (sound.name ?? `Sound ${key}`);
    try {
      // This check comes before reading, because a folder may hold hundreds of files and decoding takes long.
      if (store.view.sounds.length >= MAX_SOUNDS) {
        this.#refuse(name, null);
        return false;
      }
      const read = await this.#describe(sound, sound.id ?? key, name);
      if (generation !== this.#generation) return false;
      this.#listen(this.#append(read, name));
      // The file was mended, or another one has its name.
      const refused = store.view.refused.filter((one) => one.name !== name);
      store.change({ refused });
      return true;
    } catch (error) {
      this.#refuse(name, explainIn(t, error));
      emit?.("error", { error });
      return false;
    } finally {
      store.change({ reading: store.view.reading - 1 });
    }
  }

  /** Converts a sound to WAV and guesses what is left out. @throws {ClientError} why it can't be sent */
  async #describe(sound: FoundSound, key: string, name: string): Promise<SessionSound> {
    const { audio } = this.#deps;
    const { source, folderName = null, file, warpMode, gainDb } = sound;
    const blob =
      "numberOfChannels" in source ? await audio.wavOf(source, name) : blobOf(source, name);
    const { wav, header, hints, from, notes: repairs } = await audio.convert(blob, { name });
    const fileName = fileNameIn(sound);
    const rest = { file, warpMode, gainDb };
    // Without questions, a loop without a tempo is sent as it is.
    const open = this.#deps.settings().asksTempo ? {} : { isTempoOpen: true };
    const edits = { ...open, ...editsOf(sound) };
    const known = {
      key,
      source: wav,
      fileName,
      folderName,
      header,
      hints,
      from,
      repairs,
      edits,
      rest,
    };
    const guess = this.#guess(known);
    return { ...known, guess: fileName === "" ? { ...guess, title: name } : guess };
  }

  #append(sound: SessionSound, file: string): SessionSound {
    const { sounds } = this.#deps.store.view;
    if (bytesOf(sounds) + sound.source.size > MAX_PACKAGE_BYTES) {
      throw new Error(this.#deps.t("page.noRoom", { file, size: PACKAGE_SIZE }));
    }
    const own = choiceOf(sound).name;
    const names = [...sounds.map((other) => choiceOf(other).name), own];
    const title = this.#deps.audio.uniqueNames(names).at(-1) ?? own;
    const { edits, guess } = sound;
    const named = edits.name === undefined ? edits : { ...edits, name: title };
    const added = { ...sound, edits: named, guess: { ...guess, title } };
    this.#set([...sounds, added]);
    return added;
  }

  #refuse(name: string, sentence: string | null): void {
    const { store } = this.#deps;
    const isSame = (one: RefusedSound): boolean => one.name === name && one.sentence === sentence;
    if (store.view.refused.some(isSame)) return;
    const refused = { key: `refused ${this.#nextKey()}`, name, sentence };
    store.change({ refused: [...store.view.refused, refused] });
  }

  /** Returns a key that no sound has; some sounds may come from before a reload. */
  #nextKey(): string {
    this.#lastKey += 1;
    const key = String(this.#lastKey);
    const { sounds, refused } = this.#deps.store.view;
    const taken = new Set([...sounds, ...refused].map((one) => one.key));
    const isTaken = taken.has(key) || taken.has(`refused ${key}`);
    return isTaken ? this.#nextKey() : key;
  }
}

/** Marks the attempt as one of other content than what is there now. */
function outdated({ attempt }: Pick<SessionView, "attempt">): Pick<SessionView, "attempt"> {
  return { attempt: attempt && { ...attempt, isCurrent: false } };
}

function fileNameIn({ source, file, name }: FoundSound): string {
  const own = source instanceof Blob ? fileNameOf(source) : undefined;
  return own ?? file ?? name ?? "";
}

/** Returns the innermost folder that holds all files; undefined if there is none, or if it is unknown. */
function sharedFolder(files: readonly Pick<SessionSound, "folderName">[]): string | undefined {
  const [first = [], ...others] = files.map(({ folderName }) => folderName?.split("/") ?? []);
  const end = first.findIndex((part, depth) => others.some((parts) => parts[depth] !== part));
  const shared = end === -1 ? first : first.slice(0, end);
  return shared.length === 0 ? undefined : shared.join("/");
}
