import { useEffect, useState } from "preact/hooks";
import type { ClipAudio } from "./clip-row.ts";

/** Whether a sound was started in the list and is playing. */
export function useIsPlaying(audio: ClipAudio, key: string): boolean {
  return useLook(audio, key, isPlaying);
}

/** Whether a sound's playhead moves. */
export function useIsMoving(audio: ClipAudio, key: string): boolean {
  return useLook(audio, key, isMoving);
}

type Look = (audio: ClipAudio, key: string) => boolean;

const isPlaying: Look = (audio, key) => audio.isPlaying(key);
const isMoving: Look = (audio, key) => audio.isPlaying(key) || audio.isMoving?.(key) === true;

function useLook(audio: ClipAudio, key: string, look: Look): boolean {
  const [seen, setSeen] = useState(() => look(audio, key));
  useEffect(() => {
    const lookAgain = (): void => setSeen(look(audio, key));
    lookAgain();
    return audio.subscribe(lookAgain);
  }, [audio, key, look]);
  return seen;
}
