import * as audio from "../audio/index.ts";
import { SessionRecording } from "../send/session/session-recording.ts";
import { SessionSounds } from "../send/session/session-sounds.ts";
import type { SessionDeps } from "../send/session/session-view.ts";
import type { Section, SectionDeps } from "./sections/section.ts";
import { soundList } from "./sections/sounds.ts";

// The element loads this part once there is a sound. It is bundled with its own copies of its imports.

/** The sounds of an element, which it loads with all that handles audio. */
export interface SoundsPart {
  readonly sounds: SessionSounds;
  readonly recording: SessionRecording;
  /** Creates the section that shows them. */
  readonly show: (deps: SectionDeps) => Section;
}

/** Opens the sounds of a session. */
export function openSounds(deps: SessionDeps): SoundsPart {
  const soundDeps = { ...deps, audio };
  const sounds = new SessionSounds(soundDeps);
  const recording = new SessionRecording(soundDeps, sounds);
  return { sounds, recording, show: (section) => soundList(section, sounds) };
}
