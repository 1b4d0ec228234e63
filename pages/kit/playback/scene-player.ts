import { MAX_BPM, MIN_BPM } from "../../../core/limits.ts";
import { PAGE_RATE_HZ, type FetchSound, SoundBuffers } from "./sound-buffers.ts";
import { ViewStore } from "../../../core/view-store.ts";
import type { PlayableTrack } from "./plan-playback.ts";
import { PlayingScene } from "./playing-scene.ts";
import { QueuedScene } from "./scene-turn.ts";
import { audibleSounds, pick, type SceneView, SILENT, soundKey } from "./scene-view.ts";
import { WarpedLoops } from "./warp/warped-loops.ts";

const KEEP_GOING_EVERY_MS = 500;
/** Default for packages without a time signature. */
const BEATS_PER_BAR = 4;
/** Time before the bar at which the next scene is prepared. */
const SWAP_AHEAD_SECONDS = 0.25;
/** The same time in a hidden page, whose timers are late by up to a second. */
const HIDDEN_SWAP_AHEAD_SECONDS = 1.5;

interface PlayOptions {
  /** The moment at which a playing scene gives way: its next bar (default), or at once. */
  readonly at?: "bar" | "once";
  readonly beatsPerBar?: number;
  /** The scene key with which its sounds are fetched; default: the scene's own. */
  readonly soundsOf?: string;
}

/** Plays one scene at a time, all its sounds in sync (rule V9). */
export class ScenePlayer {
  /** The decoded sounds, also used for outlines. */
  readonly sounds: SoundBuffers;
  readonly #loops = new WarpedLoops();
  readonly #store = new ViewStore<SceneView>(SILENT);
  #context: AudioContext | undefined;
  /** The volume, between all scenes and the speaker. */
  #output: GainNode | undefined;
  #turn: QueuedScene | null = null;
  /** The scene that takes over on a bar of `#turn`. */
  #next: QueuedScene | null = null;
  /** The scene that ends on the bar on which `#turn` begins, if that bar hasn't come yet. */
  #ending: QueuedScene | null = null;
  #timer: ReturnType<typeof setInterval> | undefined;
  #swapTimer: ReturnType<typeof setTimeout> | undefined;

  /** @param signal stops the player and closes its audio context */
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
   * Plays a scene from its cue, by default its start. A scene that is playing continues until its next bar, where this
   * one takes over. Does nothing while the same scene is loading. Must be called in a click. Sounds that can't be played
   * are listed in `view.errors`. Resolves when it plays or waits for its bar, or has been replaced.
   * @throws {Error} if the browser can't play sound at all
   */
  async play(
    sceneKey: string,
    tracks: readonly PlayableTrack[],
    tempoBpm: number,
    { at = "bar", beatsPerBar = BEATS_PER_BAR, soundsOf = sceneKey }: PlayOptions = {},
  ): Promise<void> {
    const { isLoading, nextKey } = this.view;
    if (nextKey === sceneKey || (isLoading && this.view.sceneKey === sceneKey)) return;
    const takesOver = at === "bar" && this.#turn?.playing !== null && this.#turn !== null;
    if (takesOver) this.#dropNext();
    else this.stop();
    const turn = new QueuedScene(
      { sceneKey, soundsOf, tracks, tempoBpm: clampTempo(tempoBpm), beatsPerBar },
      { sounds: this.sounds, loops: this.#loops },
    );
    if (takesOver) this.#next = turn;
    else this.#turn = turn;
    this.#show();
    try {
      // Browsers block sound unless the context is created in the click itself.
      const context = (this.#context ??= new AudioContext({ sampleRate: PAGE_RATE_HZ }));
      await Promise.all([this.#prepare(turn), context.resume()]);
      await turn.preload(this.#cueOf(turn));
      if (this.#next === turn) this.#waitForBar(context, turn);
      else if (this.#turn === turn) this.#start(context, turn);
    } catch (error) {
      if (this.#turn === turn) this.stop();
      if (this.#next === turn) this.#dropNext();
      throw error;
    }
  }

  /** Applies an edit if that scene plays. Changes come in on the beat, changed files once they are fetched. */
  async edit(sceneKey: string, tracks: readonly PlayableTrack[]): Promise<void> {
    await Promise.all(
      this.#turnsOf(sceneKey).map((turn) => {
        turn.edit(tracks);
        return this.#refresh(turn);
      }),
    );
  }

  /** Stops what is playing, loading or waiting. */
  stop(): void {
    clearInterval(this.#timer);
    this.#dropNext();
    this.#ending?.stop();
    this.#turn?.stop();
    this.#ending = null;
    this.#turn = null;
    if (this.view.sceneKey !== null) {
      this.#store.change({ sceneKey: null, isLoading: false, rendering: new Set() });
    }
  }

  /**
   * Sets the tempo, clamped to `MIN_BPM` to `MAX_BPM`; keeps the position in beats. It is heard as soon as the loops
   * are warped.
   * @param sceneKey of the scene that takes over, to set its tempo; default: the scene that plays
   */
  setTempo(bpm: number, sceneKey: string | null = this.view.sceneKey): void {
    const tempoBpm = clampTempo(bpm);
    if (sceneKey === null) {
      this.#store.change({ tempoBpm });
      return;
    }
    for (const turn of this.#turnsOf(sceneKey)) {
      if (turn.tempoBpm === tempoBpm) continue;
      turn.setTempo(tempoBpm);
      void this.#refresh(turn);
    }
  }

  /**
   * Sets the position from which a scene plays. If it is playing, it goes there on the next beat (rule V19).
   * @param beats from the scene's beginning; 0 is bar 1
   */
  async seek(sceneKey: string, beats: number): Promise<void> {
    this.#store.change({ cues: new Map(this.view.cues).set(sceneKey, beats) });
    const turns = this.#turnsOf(sceneKey);
    await Promise.all(turns.map((turn) => turn.preload(beats)));
    // The last of several calls counts.
    const isLast = this.view.cues.get(sceneKey) === beats;
    if (isLast && this.#turn !== null && turns.includes(this.#turn))
      this.#turn.playing?.jumpTo(beats);
  }

  /** Sets the volume at once, without a click. @param volume from 0 to 1; others are clamped */
  setVolume(volume: number): void {
    const clamped = Math.min(1, Math.max(0, volume)) || 0;
    this.#store.change({ volume: clamped });
    this.#output?.gain.setTargetAtTime(gainOf(clamped), this.#output.context.currentTime, 0.01);
  }

  setMuted(sceneKey: string, soundId: string, isOn: boolean): void {
    this.#store.change({ muted: pick(this.view.muted, soundKey(sceneKey, soundId), isOn) });
    this.#updateAudible();
  }

  setSolo(sceneKey: string, soundId: string, isOn: boolean): void {
    this.#store.change({ soloed: pick(this.view.soloed, soundKey(sceneKey, soundId), isOn) });
    this.#updateAudible();
  }

  /** Returns the number of beats of the scene that have been heard; null if none plays. */
  positionBeats(): number | null {
    return this.#turn?.playing?.positionBeats() ?? null;
  }

  /** Returns a sound's position in its file, in seconds; null while it is silent. */
  filePosition(soundId: string): number | null {
    return this.#turn?.playing?.filePosition(soundId) ?? null;
  }

  #turnsOf(sceneKey: string): readonly QueuedScene[] {
    return [this.#turn, this.#next].flatMap((turn) => (turn?.sceneKey === sceneKey ? [turn] : []));
  }

  /** Prepares a turn until its last edit is ready, or until it has been replaced. */
  async #prepare(turn: QueuedScene): Promise<void> {
    const isCurrent = (): boolean => this.#turn === turn || this.#next === turn;
    const onLate = (): void => this.#apply(turn);
    while (!(await turn.prepare(onLate)) && isCurrent());
  }

  /** Plays the last edit of a turn as soon as it is ready. */
  async #refresh(turn: QueuedScene): Promise<void> {
    this.#show();
    // A turn that is still loading is started by `play`.
    if (turn.playing === null) return;
    if (!turn.isReady) await this.#prepare(turn);
    this.#apply(turn);
  }

  #apply(turn: QueuedScene): void {
    if (this.#turn !== turn && this.#next !== turn) return;
    turn.playing?.change(turn.content(this.#audibleIn(turn)));
    this.#show();
  }

  /** @param startSeconds in the context's time; default: as soon as possible */
  #start(context: AudioContext, turn: QueuedScene, startSeconds?: number): void {
    const output = (this.#output ??= this.#connect(context));
    turn.playing = new PlayingScene(turn.content(this.#audibleIn(turn)), {
      context,
      output,
      fromBeats: this.#cueOf(turn),
      ...(startSeconds !== undefined && { startSeconds }),
    });
    this.#show();
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#keepGoing(), KEEP_GOING_EVERY_MS);
    this.#keepGoing();
  }

  /** Lets a loaded turn take over on the next bar that it can still be prepared for. */
  #waitForBar(context: AudioContext, turn: QueuedScene): void {
    const { playing } = this.#turn ?? {};
    if (this.#next !== turn || playing === null || playing === undefined) return;
    const { currentTime } = context;
    const ahead = document.hidden ? HIDDEN_SWAP_AHEAD_SECONDS : SWAP_AHEAD_SECONDS;
    const bar = playing.nextBar(currentTime + ahead / 2, this.#turn?.beatsPerBar ?? BEATS_PER_BAR);
    if (bar - currentTime <= ahead) {
      this.#takeOver(context, turn, bar);
      return;
    }
    const waitMs = (bar - currentTime - ahead) * 1000 + 1;
    this.#swapTimer = setTimeout(() => this.#waitForBar(context, turn), waitMs);
  }

  #takeOver(context: AudioContext, turn: QueuedScene, startSeconds: number): void {
    this.#turn?.playing?.endAt(startSeconds);
    this.#ending = this.#turn;
    this.#next = null;
    this.#turn = turn;
    this.#start(context, turn, startSeconds);
  }

  #connect(context: AudioContext): GainNode {
    const output = new GainNode(context, { gain: gainOf(this.view.volume) });
    output.connect(context.destination);
    return output;
  }

  #dropNext(): void {
    clearTimeout(this.#swapTimer);
    this.#next?.stop();
    this.#next = null;
    if (this.view.nextKey !== null) this.#store.change({ nextKey: null });
  }

  #keepGoing(): void {
    const playing = this.#turn?.playing;
    void playing?.keepGoing();
    if (playing?.isOver === true && this.#next === null) this.stop();
  }

  #show(): void {
    const turn = this.#turn;
    if (turn === null) return;
    this.#store.change({
      ...turn.view,
      sceneKey: turn.sceneKey,
      nextKey: this.#next?.sceneKey ?? null,
      isLoading: turn.playing === null,
    });
  }

  #updateAudible(): void {
    const turn = this.#turn;
    turn?.playing?.setAudible(this.#audibleIn(turn));
  }

  #cueOf({ sceneKey }: QueuedScene): number {
    return this.view.cues.get(sceneKey) ?? 0;
  }

  #audibleIn({ sceneKey, soundIds }: QueuedScene): ReadonlySet<string> {
    return audibleSounds(this.view, sceneKey, soundIds);
  }
}

/** Returns a gain that is heard as half as loud at about half the volume. */
function gainOf(volume: number): number {
  return volume ** 2;
}

function clampTempo(bpm: number): number {
  return Math.min(MAX_BPM, Math.max(MIN_BPM, bpm));
}
