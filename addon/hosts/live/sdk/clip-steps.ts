import { PALETTE } from "../../../../core/layout/palette.ts";
import { WARP_MODES } from "../../../../core/manifest/manifest.ts";
import type { LiveNumber, NewLiveClip } from "./live-api.ts";
import type { LiveSound } from "./live-sound.ts";
import { readFlag } from "./live-values.ts";
import type { LiveStep } from "./run-in-transaction.ts";

/** Live's shortest loop. */
const SHORTEST_LOOP_BEATS = 0.25;

/** Fills a sound's slot if it is empty. A failure fails the sound. */
export function newClipStep(sound: LiveSound, settled?: () => void): LiveStep {
  return {
    label: `make the clip ${sound.plan.clipName}`,
    act: () => {
      const { slot } = sound;
      if (slot.clip) throw new Error("its clip slot is not empty");
      return slot.createAudioClip(newClip(sound));
    },
    refused: (error) => {
      sound.error = error.message;
    },
    ...(settled && { settled }),
  };
}

/** Sets what a clip's creation can't. A refusal shows when the clip is read back. */
export function clipSettingSteps(sound: LiveSound): readonly LiveStep[] {
  const { clipName, warping, warpMode, looping, colorIndex } = sound.plan;
  const steps: LiveStep[] = [
    {
      label: `name the clip ${clipName}`,
      act: () => {
        sound.clip.name = clipName;
      },
    },
    {
      label: `set the colour of ${clipName}`,
      act: () => setNumber(PALETTE[colorIndex] ?? 0, (color) => (sound.clip.color = color)),
    },
  ];
  if (readFlag(() => sound.clip.warping) !== warping) {
    steps.push({
      label: `switch warping ${warping ? "on" : "off"} for ${clipName}`,
      act: () => {
        sound.clip.warping = warping;
      },
    });
  }
  if (warpMode !== null) {
    steps.push({
      label: `set the warp mode of ${clipName}`,
      act: () => setNumber(WARP_MODES[warpMode], (mode) => (sound.clip.warpMode = mode)),
    });
  }
  if (readFlag(() => sound.clip.looping) !== looping) {
    steps.push({
      label: `switch the loop ${looping ? "on" : "off"} for ${clipName}`,
      act: () => {
        sound.clip.looping = looping;
      },
    });
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

/** In beats; in seconds for an unwarped clip. */
function endOf({ plan, fileSeconds }: LiveSound): number | undefined {
  if (!plan.warping) return fileSeconds;
  const { loopEndBeats } = plan;
  return loopEndBeats === null ? undefined : Math.max(loopEndBeats, SHORTEST_LOOP_BEATS);
}

/** Some versions of Live accept an integer only as a BigInt. */
function setNumber(whole: number, set: (value: LiveNumber) => unknown): void {
  try {
    set(whole);
  } catch {
    set(BigInt(whole));
  }
}
