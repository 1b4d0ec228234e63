import type { PreviewCalls, PreviewClip } from "./preview-session.ts";

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

/** Returns a session's calls with faults injected. */
export function withFaults(session: PreviewCalls, faults: PreviewFaults): PreviewCalls {
  if (Object.keys(faults).length === 0) return session;
  let callCount = 0;
  let clipCount = 0;
  const call = async <Outcome>(
    fails: boolean | undefined,
    act: () => Promise<Outcome>,
  ): Promise<Outcome> => {
    callCount += 1;
    if (callCount === faults.stopBeforeCall) await stop(faults);
    await faults.beforeCall?.();
    // Like Live, which usually rejects without a reason.
    if (fails === true) throw undefined;
    const outcome = await act();
    if (callCount === faults.stopAfterCall) await stop(faults);
    return outcome;
  };
  return {
    get state() {
      return session.state;
    },
    createScene: (...args) => call(faults.failScene, () => session.createScene(...args)),
    createTrack: (...args) => call(false, () => session.createTrack(...args)),
    createClip: (trackId, sceneId, clip) => {
      const soundId = session.state.tracks.find(({ id }) => id === trackId)?.sound_id ?? "";
      clipCount += 1;
      const fails = faults.failSounds?.includes(soundId) === true || faults.failsClip?.(clipCount);
      const held = { ...clip, ...faults.holdOtherwise?.get(soundId) };
      return call(fails, () => session.createClip(trackId, sceneId, held));
    },
    deleteClip: (...args) => call(faults.failRemoval, () => session.deleteClip(...args)),
    deleteTrack: (...args) => call(faults.failRemoval, () => session.deleteTrack(...args)),
    deleteScene: (...args) => call(faults.failRemoval, () => session.deleteScene(...args)),
    setTempo: (...args) => call(faults.failTempo, () => session.setTempo(...args)),
  };
}

function stop({ onStop }: PreviewFaults): Promise<never> {
  onStop?.();
  return new Promise(() => undefined);
}
