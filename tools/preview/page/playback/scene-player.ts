import { MAX_BPM, MIN_BPM } from "../../../../core/limits.ts";
import { PLAY_BYTES } from "../../../../core/page/sound-limits.ts";
import { sentenceOf } from "../../../../core/text/sentence-of.ts";
import { PAGE_RATE_HZ } from "../../../../web/decode-sound.ts";
import { ViewStore } from "../../../../web/view-store.ts";
import type { PlayableTrack } from "./plan-playback.ts";
import { PlayingScene } from "./playing-scene.ts";
import { audibleSounds, type SceneView, soundKey } from "./scene-view.ts";
import { type FetchSound, SoundBuffers } from "./sound-buffers.ts";

/** A scene that is playing or loading. */
interface Turn {
  readonly sceneKey: string;
  /** As last given. */
  tracks: readonly PlayableTrack[];
  fetched: Fetched;
  /** null while it is loading. */
  playing: PlayingScene | null;
}

/** A scene's fetched sounds, by id. */
interface Fetched {
  readonly sounds: ReadonlyMap<string, AudioBuffer>;
  readonly revisions: ReadonlyMap<string, string>;
  /** Sentences. */
  readonly failures: ReadonlyMap<string, string>;
}

const NOTHING_FETCHED: Fetched = { sounds: new Map(), revisions: new Map(), failures: new Map() };
const KEEP_GOING_EVERY_MS = 500;

/** Plays one scene at a time, all its sounds in sync (rule V9). */
export class ScenePlayer {
  /** The decoded sounds, also used for outlines. */
  readonly sounds: SoundBuffers;
  readonly #store = new ViewStore<SceneView>({
    sceneKey: null,
    isLoading: false,
    tempoBpm: 120,
    muted: new Set(),
    soloed: new Set(),
    errors: new Map(),
  });
  #context: AudioContext | undefined;
  #turn: Turn | null = null;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param signal stops it and closes its audio context */
  constructor(fetchSound: FetchSound, signal: AbortSignal) {
    this.sounds = new SoundBuffers(fetchSound);
    signal.addEventListener("abort", () => {
      this.stop();
      void this.#context?.close();
    });
  }

  get view(): SceneView {
    return this.#store.view;
  }

  /** Calls the listener after each change; returns the function that unsubscribes it. */
  subscribe(listener: () => void): () => void {
    return this.#store.subscribe(listener);
  }

  /**
   * Plays a scene from its start and stops any other; does nothing while that scene is loading. Must be called in a
   * click. Sounds that can't be played are listed in `view.errors`.
   * @throws {Error} if the browser can't play sound at all
   */
  async play(sceneKey: string, tracks: readonly PlayableTrack[], tempoBpm: number): Promise<void> {
    if (this.view.isLoading && this.view.sceneKey === sceneKey) return;
    this.stop();
    const turn: Turn = { sceneKey, tracks, fetched: NOTHING_FETCHED, playing: null };
    this.#turn = turn;
    this.#store.change({ sceneKey, isLoading: true, errors: new Map() });
    this.setTempo(tempoBpm);
    try {
      // Created in the click itself, or browsers block the sound.
      const context = (this.#context ??= new AudioContext({ sampleRate: PAGE_RATE_HZ }));
      const [fetched] = await Promise.all([this.#fetch(turn), context.resume()]);
      // Another scene was played in the meantime, or this one was stopped.
      if (this.#turn !== turn) return;
      turn.fetched = fetched;
      const { sounds } = fetched;
      const audible = this.#audibleIn(turn);
      turn.playing = new PlayingScene({ context, tracks, sounds, audible, ...this.view });
    } catch (error) {
      if (this.#turn === turn) this.stop();
      throw error;
    }
    this.#store.change({ isLoading: false, errors: errorsOf(turn) });
    this.#timer = setInterval(() => this.#keepGoing(), KEEP_GOING_EVERY_MS);
    this.#keepGoing();
    if (turn.tracks !== tracks) await this.#applyEdit(turn);
  }

  /** Applies an edit if that scene plays. Changes come in on the beat, changed files once they are fetched. */
  async edit(sceneKey: string, tracks: readonly PlayableTrack[]): Promise<void> {
    const turn = this.#turn;
    if (turn?.sceneKey !== sceneKey) return;
    turn.tracks = tracks;
    if (turn.playing !== null) await this.#applyEdit(turn);
  }

  /** Stops what is playing or loading. */
  stop(): void {
    clearInterval(this.#timer);
    this.#turn?.playing?.stop();
    this.#turn = null;
    if (this.view.sceneKey !== null) this.#store.change({ sceneKey: null, isLoading: false });
  }

  /** Sets the tempo, clamped to `MIN_BPM` to `MAX_BPM`; keeps the position in beats. */
  setTempo(bpm: number): void {
    const tempoBpm = Math.min(MAX_BPM, Math.max(MIN_BPM, bpm));
    if (tempoBpm === this.view.tempoBpm) return;
    this.#turn?.playing?.setTempo(tempoBpm);
    const errors = this.#turn === null ? this.view.errors : errorsOf(this.#turn);
    this.#store.change({ tempoBpm, errors });
  }

  setMuted(sceneKey: string, soundId: string, isOn: boolean): void {
    this.#store.change({ muted: pick(this.view.muted, soundKey(sceneKey, soundId), isOn) });
    if (this.#turn !== null) this.#turn.playing?.setAudible(this.#audibleIn(this.#turn));
  }

  setSolo(sceneKey: string, soundId: string, isOn: boolean): void {
    this.#store.change({ soloed: pick(this.view.soloed, soundKey(sceneKey, soundId), isOn) });
    if (this.#turn !== null) this.#turn.playing?.setAudible(this.#audibleIn(this.#turn));
  }

  /** How many beats of the scene have been heard; null if none plays. */
  positionBeats(): number | null {
    return this.#turn?.playing?.positionBeats() ?? null;
  }

  /** A sound's position in its file, in seconds; null while it is silent. */
  filePosition(soundId: string): number | null {
    return this.#turn?.playing?.filePosition(soundId) ?? null;
  }

  #keepGoing(): void {
    const playing = this.#turn?.playing;
    playing?.keepGoing();
    if (playing?.isOver === true) this.stop();
  }

  async #applyEdit(turn: Turn): Promise<void> {
    const { tracks } = turn;
    const fetched = await this.#fetch(turn);
    // There was another edit in the meantime, or it was stopped.
    if (this.#turn !== turn || turn.tracks !== tracks || turn.playing === null) return;
    turn.fetched = fetched;
    turn.playing.edit({ tracks, sounds: fetched.sounds, audible: this.#audibleIn(turn) });
    this.#store.change({ errors: errorsOf(turn) });
  }

  #audibleIn({ sceneKey, tracks }: Turn): ReadonlySet<string> {
    const soundIds = tracks.map(({ id }) => id);
    return audibleSounds(this.view, sceneKey, soundIds);
  }

  /** Fetches the scene's sounds; keeps those whose file is unchanged. */
  async #fetch({ sceneKey, tracks, fetched: before }: Turn): Promise<Fetched> {
    const sounds = new Map<string, AudioBuffer>();
    const failures = new Map<string, string>();
    const fetchOne = async ({ id, revision, bytes }: PlayableTrack): Promise<void> => {
      // The plan reports these.
      if (bytes > PLAY_BYTES) return;
      const had = before.revisions.get(id) === revision ? before.sounds.get(id) : undefined;
      try {
        sounds.set(id, had ?? (await this.sounds.decoded(sceneKey, id, revision)));
      } catch (error) {
        failures.set(id, sentenceOf(error));
      }
    };
    await Promise.all(tracks.map(fetchOne));
    return {
      sounds,
      revisions: new Map(tracks.map(({ id, revision }) => [id, revision])),
      failures,
    };
  }
}

function errorsOf({ fetched, playing }: Turn): ReadonlyMap<string, string> {
  return new Map([...fetched.failures, ...(playing?.problems ?? [])]);
}

function pick(picked: ReadonlySet<string>, key: string, isOn: boolean): ReadonlySet<string> {
  const others = [...picked].filter((one) => one !== key);
  return new Set(isOn ? [...others, key] : others);
}
