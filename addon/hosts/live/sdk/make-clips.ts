import { setTimeout } from "node:timers/promises";
import type { LiveSound } from "./live-sound.ts";
import { readFlag, readIfAny, readNumber } from "./live-values.ts";
import { type LiveRun, type LiveStep, runInTransaction } from "./run-in-transaction.ts";
import { PALETTE } from "../../../../core/layout/palette.ts";
import { WARP_MODES } from "../../../../core/manifest/manifest.ts";
import type { LiveNumber, NewLiveClip } from "./live-api.ts";

/** The time by which an unwarped clip must end early to count as cut: Live takes its end in another unit. */
const CUT_SECONDS = 0.001;

interface MoreOfClips {
  readonly before?: readonly LiveStep[];
  readonly settled?: (sound: LiveSound) => void;
}

/**
 * Makes the sounds' clips as one undo step. Where Live refuses loop settings, the clips are made once more
 * without them, as another undo step; deviations from the plan are then differences (rule H4).
 * @param more.before steps of the first undo step
 * @param more.settled called for each sound once it has a clip or failed
 */
export async function makeClips(
  run: LiveRun,
  sounds: readonly LiveSound[],
  { before = [], settled = () => undefined }: MoreOfClips = {},
): Promise<void> {
  const again: LiveSound[] = [];
  const steps = sounds.map((sound) =>
    newClipStep(sound, () => {
      if (sound.error !== undefined && sound.hasLoopSettings) again.push(sound);
      else settled(sound);
    }),
  );
  await runInTransaction(run, [...before, ...steps]);
  for (const sound of again) dropLoopSettings(sound);
  await runInTransaction(
    run,
    again.map((sound) => newClipStep(sound, () => settled(sound))),
  );
}

/** Returns the sounds whose clips Live cut because of a given end: these are made again without one. */
export function cutSounds(sounds: readonly LiveSound[]): readonly LiveSound[] {
  return sounds.filter((sound) => {
    const { plan, fileSeconds } = sound;
    if (plan.warping || !sound.hasLoopSettings || fileSeconds === undefined) return false;
    const end = readNumber(() => readIfAny(() => sound.clip)?.endMarker);
    return end !== undefined && end < fileSeconds - CUT_SECONDS;
  });
}

/** Drops a sound's start, end and loop, with a note, so that its clip can be made without them. */
export function dropLoopSettings(sound: LiveSound): void {
  sound.error = undefined;
  sound.hasLoopSettings = false;
  sound.notes.push("Live refused to be told where its clip starts and ends.");
}

/** The length of Live's shortest loop. */
const SHORTEST_LOOP_BEATS = 0.25;

/** Returns the step that fills a sound's empty slot. A failure fails the sound. */
function newClipStep(sound: LiveSound, settled?: () => void): LiveStep {
  return {
    label: `make the clip ${sound.plan.clipName}`,
    act: () => {
      const { slot } = sound;
      if (slot.clip) throw new Error("its clip slot is not empty");
      return slot.createAudioClip(newClip(sound));
    },
    refused: ({ message }) => (sound.error = message),
    ...(settled && { settled }),
  };
}

/** Returns the steps for settings that a clip's creation can't set. A refusal shows when the clip is read back. */
export function clipSettingSteps(sound: LiveSound): readonly LiveStep[] {
  const { clipName, warping, warpMode, looping, colorIndex } = sound.plan;
  const steps: LiveStep[] = [
    { label: `name the clip ${clipName}`, act: () => (sound.clip.name = clipName) },
    {
      label: `set the color of ${clipName}`,
      act: () => setNumber(PALETTE[colorIndex] ?? 0, (color) => (sound.clip.color = color)),
    },
  ];
  if (readFlag(() => sound.clip.warping) !== warping) {
    const label = `switch warping ${warping ? "on" : "off"} for ${clipName}`;
    steps.push({ label, act: () => (sound.clip.warping = warping) });
  }
  if (warpMode !== null) {
    steps.push({
      label: `set the warp mode of ${clipName}`,
      act: () => setNumber(WARP_MODES[warpMode], (mode) => (sound.clip.warpMode = mode)),
    });
  }
  if (readFlag(() => sound.clip.looping) !== looping) {
    const label = `switch the loop ${looping ? "on" : "off"} for ${clipName}`;
    steps.push({ label, act: () => (sound.clip.looping = looping) });
  }
  return steps;
}

function newClip(sound: LiveSound): NewLiveClip {
  const { plan, file } = sound;
  const end = endOf(sound);
  const clip = { filePath: file.path, isWarped: plan.warping };
  if (!sound.hasLoopSettings || end === undefined) return clip;
  const { looping } = plan;
  const loopSettings = { looping, startMarker: 0, endMarker: end, loopStart: 0, loopEnd: end };
  return { ...clip, loopSettings };
}

/** Returns a clip's end in beats, or in seconds for an unwarped clip. */
function endOf({ plan, fileSeconds }: LiveSound): number | undefined {
  if (!plan.warping) return fileSeconds;
  const { loopEndBeats } = plan;
  return loopEndBeats === null ? undefined : Math.max(loopEndBeats, SHORTEST_LOOP_BEATS);
}

/** Sets an integer, which some versions of Live accept only as a BigInt. */
function setNumber(whole: number, set: (value: LiveNumber) => unknown): void {
  try {
    set(whole);
  } catch {
    set(BigInt(whole));
  }
}

const WAIT_MS = 20;
const MOST_WAITS = 15;

/**
 * Waits until Live has switched warping as requested, which it does after the setter has returned; gives up after a
 * third of a second. A switch that never happens shows when the clip is read back.
 */
export async function settleWarp({ signal }: LiveRun, sounds: readonly LiveSound[]): Promise<void> {
  for (let waits = 0; waits < MOST_WAITS && !sounds.every(isSettled); waits += 1) {
    await setTimeout(WAIT_MS);
    signal.throwIfAborted();
  }
}

/** Checks whether a clip's warping is switched. A clip that can't be read is not waited for. */
function isSettled(sound: LiveSound): boolean {
  const warping = readFlag(() => sound.clip.warping);
  return warping === undefined || warping === sound.plan.warping;
}
