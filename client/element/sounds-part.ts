import { ENGLISH } from "../../core/messages/en/english.ts";
import * as audio from "../audio/index.ts";
import { SessionRecording } from "../send/session/session-recording.ts";
import { SessionSounds } from "../send/session/session-sounds.ts";
import type { SessionDeps } from "../send/session/session-view.ts";
import type { SoundsPart } from "./sections/section.ts";
import { SOUNDS_STYLE } from "./sounds-style.ts";
import { soundList } from "./sections/sounds.ts";

// The element loads this part once there is a sound. It is bundled with its own copies of its imports.

/** Opens the sounds of a session. */
export function openSounds(deps: SessionDeps): SoundsPart {
  const soundDeps = { ...deps, audio };
  const sounds = new SessionSounds(soundDeps);
  const recording = new SessionRecording(soundDeps, sounds);
  return {
    sounds,
    recording,
    style: SOUNDS_STYLE,
    texts: ENGLISH,
    show: (section) => soundList(section, sounds),
  };
}
