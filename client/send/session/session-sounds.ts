import { uniqueNames } from "../../../core/guess/guess-package-title.ts";
import type { Heard } from "../../../core/audio/listening/heard.ts";
import { formatRecording } from "../../../core/guess/guess-sounds.ts";
import { formatBytes } from "../../../core/text/format-number.ts";
import { explainIn } from "../words/explain.ts";
import type { AudioTools } from "./audio-tools.ts";
import { type DescribeSent, describeOutgoing } from "./describe-outgoing.ts";
import { groupOf, guessList, type SoundGroup } from "./guess-list.ts";
import {
  bytesOf,
  choiceOf,
  type FoundSound,
  type GroupAnswer,
  type SessionSound,
  type SoundEdits,
} from "./session-sound.ts";
import { fileNameIn, readSound } from "./read-sound.ts";
import { asksPacking, MAX_SESSION_BYTES, MAX_SESSION_SOUNDS } from "./session-packing.ts";
import type {
  Outgoing,
  PackAnswer,
  RefusedSound,
  SessionDeps,
  SessionView,
} from "./session-view.ts";
import { SessionListening } from "./session-listening.ts";
import { BPM, numberOf } from "./typed-numbers.ts";

/** Dependencies of a session's sounds. */
export interface SoundDeps extends Pick<SessionDeps, "store" | "t" | "settings" | "emit"> {
  readonly audio: AudioTools;
  /** Describes the sounds for the list of sent packages. Default: by id and name. */
  readonly describe?: DescribeSent;
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
    this.#listening = new SessionListening({
      audio: deps.audio,
      sounds: () => deps.store.view.sounds,
      onHeard: (heardIn, heard) => this.#take(heardIn, heard),
    });
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
    const groups = store.view.groups.map((group) => ` ${formatRecording(t, group)}.`).join("");
    store.change({ announcement: t("page.added", { count: added }) + problem + groups });
    void this.#listening.listen();
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

  /** Sets properties of these sounds. Kind, tempo and length of a recording's files are set for all of them at once. */
  edit(keys: ReadonlySet<string>, edits: SoundEdits): void {
    const { view } = this.#deps.store;
    const { kind: _kind, bpm: _bpm, lengthBeats: _length, isTempoOpen: _open, ...others } = edits;
    const changed = (sound: SessionSound): SessionSound => {
      const own = groupOf(view, sound.key) === undefined ? edits : others;
      return { ...sound, edits: { ...sound.edits, ...own } };
    };
    this.#show({
      sounds: view.sounds.map((sound) => (keys.has(sound.key) ? changed(sound) : sound)),
    });
  }

  /** Plays a recording's files in time at its tempo, or as they were recorded. */
  playInTime(group: SoundGroup, isInTime: boolean): void {
    this.#answer(group, (answer) => ({ ...answer, isAsRecorded: !isInTime }));
  }

  /** Sets the tempo of a recording, and of the package with it. Empty: what the files say counts again. */
  setGroupTempo(group: SoundGroup, typed: string): void {
    const bpm = numberOf(typed, BPM);
    if (bpm === undefined && typed.trim() !== "") return;
    this.#answer(group, () => undefined);
    const { view } = this.#deps.store;
    if (bpm !== undefined) this.setTempo(typed);
    else if (numberOf(view.bpm ?? "", BPM) === group.knownBpm) this.setTempo(null);
    const timed = groupOf(this.#deps.store.view, group.members[0] ?? "");
    if (bpm !== undefined && timed?.bpm !== bpm) this.#answer(group, () => ({ bpm }));
  }

  /** Guesses each file of a recording on its own. */
  separate(group: SoundGroup): void {
    this.#answer(group, () => ({ isSeparate: true }));
  }

  /** Removes sounds, and sounds that can't be sent. */
  remove(keys: readonly string[]): void {
    const { sounds, refused } = this.#deps.store.view;
    const stays = ({ key }: { readonly key: string }): boolean => !keys.includes(key);
    this.#deps.store.change({ refused: refused.filter(stays) });
    if (!sounds.every(stays)) this.#set(sounds.filter(stays));
  }

  /** Describes the sounds as the packages to send; null without sounds. */
  outgoing(): Outgoing | null {
    const { store, t, settings, describe } = this.#deps;
    return store.view.sounds.length === 0
      ? null
      : describeOutgoing(store.view, settings(), t, describe);
  }

  /** Answers how sounds are sent that one package can't hold. */
  answerPacking(packAnswer: PackAnswer): void {
    this.#deps.store.change({ packAnswer, error: null, ...outdated(this.#deps.store.view) });
  }

  setTitle(title: string): void {
    this.#deps.store.change({ title, error: null, ...outdated(this.#deps.store.view) });
  }

  /** Sets the tempo of the package, and guesses again with it; properties that someone has set stay. */
  setTempo(bpm: string | null): void {
    const { store } = this.#deps;
    store.change({ bpm });
    this.#set(store.view.sounds);
  }

  /** Changes the answer for a recording's files, and announces how they play then. */
  #answer(
    { members }: SoundGroup,
    change: (answer: GroupAnswer | undefined) => GroupAnswer | undefined,
  ): void {
    const { store, t } = this.#deps;
    this.#set(
      store.view.sounds.map((sound) => {
        if (!members.includes(sound.key)) return sound;
        // A tempo that the app has set gives way.
        const { bpm: _bpm, ...edits } = sound.edits;
        return { ...sound, edits, answer: change(sound.answer) };
      }),
    );
    const group = groupOf(store.view, members[0] ?? "");
    if (group !== undefined) store.change({ announcement: formatRecording(t, group) });
  }

  /** Shows these sounds with their guesses, and listens to those that are open once all files are read. */
  #set(sounds: readonly SessionSound[]): void {
    const { store } = this.#deps;
    this.#show(guessList(sounds, this.#packageBpm()));
    if (store.view.reading === 0) void this.#listening.listen();
  }

  /** Shows what was heard in a sound, unless the sounds are being sent. */
  #take({ key, source }: SessionSound, heard: Heard): void {
    const { sounds, attempt } = this.#deps.store.view;
    if (attempt !== null) return;
    const index = sounds.findIndex((sound) => sound.key === key && sound.source === source);
    const sound = sounds[index];
    if (sound !== undefined) this.#set(sounds.with(index, { ...sound, heard }));
  }

  #show(changed: Partial<SessionView>): void {
    const { store } = this.#deps;
    store.change({ ...changed, error: null, ...outdated(store.view) });
    // An answer was about what was too much then.
    if (store.view.packAnswer !== null && !asksPacking(store.view))
      store.change({ packAnswer: null });
  }

  #packageBpm(): number | undefined {
    const { store, settings } = this.#deps;
    return numberOf(store.view.bpm ?? "", BPM) ?? settings().bpm;
  }

  #next(sound: FoundSound, generation: number): Promise<boolean> {
    const read = this.#reading.then(() => this.#read(sound, generation));
    this.#reading = read;
    return read;
  }

  /** Reads a sound and adds it. Resolves with whether it was added. */
  async #read(sound: FoundSound, generation: number): Promise<boolean> {
    const { store, t, emit, audio } = this.#deps;
    const key = this.#nextKey();
    const name = fileNameIn(sound) || (sound.name ?? `Sound ${key}`);
    try {
      // This check comes before reading, because a folder may hold hundreds of files and decoding takes long.
      if (store.view.sounds.length >= MAX_SESSION_SOUNDS) {
        this.#refuse(name, null);
        return false;
      }
      const { asksTempo } = this.#deps.settings();
      const read = await readSound(sound, { key: sound.id ?? key, name, audio, asksTempo });
      if (generation !== this.#generation) return false;
      this.#append(read, name);
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

  #append(sound: SessionSound, file: string): void {
    const { sounds } = this.#deps.store.view;
    if (bytesOf(sounds) + sound.source.size > MAX_SESSION_BYTES) {
      const { t } = this.#deps;
      throw new Error(t("page.noRoom", { file, size: formatBytes(t, MAX_SESSION_BYTES) }));
    }
    const { edits } = sound;
    const names = [...sounds, sound].map((one) => choiceOf(one).name);
    const name = uniqueNames(names).at(-1) ?? "";
    const named = edits.name === undefined ? edits : { ...edits, name };
    this.#set([...sounds, { ...sound, edits: named }]);
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

/** Marks attempt and series as those of other content than what is there now. */
function outdated({ attempt }: SessionView): Pick<SessionView, "attempt" | "series"> {
  return { attempt: attempt && { ...attempt, isCurrent: false }, series: null };
}
