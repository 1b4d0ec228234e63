import type { PreviewCalls, PreviewClip, PreviewState } from "./preview-session.ts";

/** The faults to inject: for tests of everything that drives a host, and for `up --pretend` (rule K16). */
export interface PreviewFaults {
  readonly failScene?: boolean;
  /** Ids of sounds whose clip can't be made. */
  readonly failSounds?: readonly string[];
  /** Checks whether the n-th clip of an import, counted from 1, can't be made. */
  readonly failsClip?: (nth: number) => boolean;
  /** Awaited before each call. */
  readonly beforeCall?: () => Promise<unknown>;
  readonly failTempo?: boolean;
  readonly failRemoval?: boolean;
  /** Settings that the session holds instead of the requested ones, by sound id. */
  readonly holdOtherwise?: ReadonlyMap<string, Partial<PreviewClip>>;
  /** The number, counted from 1, of a call that does nothing and never settles, as in a crash. */
  readonly stopBeforeCall?: number;
  /** The number of a call that does its work and never settles, as in a crash. */
  readonly stopAfterCall?: number;
  /** Called when such a call stops. */
  readonly onStop?: () => void;
}

export function withFaults(session: PreviewCalls, faults: PreviewFaults): PreviewCalls {
  return Object.keys(faults).length === 0 ? session : new FaultyCalls(session, faults);
}

class FaultyCalls implements PreviewCalls {
  readonly #session: PreviewCalls;
  readonly #faults: PreviewFaults;
  #callCount = 0;
  #clipCount = 0;

  constructor(session: PreviewCalls, faults: PreviewFaults) {
    this.#session = session;
    this.#faults = faults;
  }

  get state(): PreviewState {
    return this.#session.state;
  }

  createScene(...args: Parameters<PreviewCalls["createScene"]>): Promise<number> {
    return this.#call(this.#faults.failScene === true, () => this.#session.createScene(...args));
  }

  createTrack(...args: Parameters<PreviewCalls["createTrack"]>): Promise<number> {
    return this.#call(false, () => this.#session.createTrack(...args));
  }

  createClip(trackId: number, sceneId: number, clip: PreviewClip): Promise<void> {
    const soundId = this.state.tracks.find(({ id }) => id === trackId)?.sound_id ?? "";
    this.#clipCount += 1;
    const fails =
      this.#faults.failSounds?.includes(soundId) === true ||
      this.#faults.failsClip?.(this.#clipCount) === true;
    const held = { ...clip, ...this.#faults.holdOtherwise?.get(soundId) };
    return this.#call(fails, () => this.#session.createClip(trackId, sceneId, held));
  }

  deleteClip(trackId: number, sceneId: number): Promise<void> {
    const fails = this.#faults.failRemoval === true;
    return this.#call(fails, () => this.#session.deleteClip(trackId, sceneId));
  }

  deleteTrack(trackId: number): Promise<void> {
    return this.#call(this.#faults.failRemoval === true, () => this.#session.deleteTrack(trackId));
  }

  deleteScene(sceneId: number): Promise<void> {
    return this.#call(this.#faults.failRemoval === true, () => this.#session.deleteScene(sceneId));
  }

  setTempo(tempoBpm: number): Promise<void> {
    return this.#call(this.#faults.failTempo === true, () => this.#session.setTempo(tempoBpm));
  }

  async #call<Outcome>(fails: boolean, act: () => Promise<Outcome>): Promise<Outcome> {
    this.#callCount += 1;
    if (this.#callCount === this.#faults.stopBeforeCall) await this.#stop();
    await this.#faults.beforeCall?.();
    // Like Live, which usually rejects without a reason.
    if (fails) throw undefined;
    const outcome = await act();
    if (this.#callCount === this.#faults.stopAfterCall) await this.#stop();
    return outcome;
  }

  #stop(): Promise<never> {
    this.#faults.onStop?.();
    return new Promise(() => undefined);
  }
}
