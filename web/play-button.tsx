import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Refused } from "./refused.tsx";
import type { SoundPlayer } from "./sound-player.ts";
import { usePlays } from "./use-plays.ts";

interface PlayButtonProps<Key> {
  readonly player: SoundPlayer<Key>;
  /** Identifies the sound. */
  readonly sound: Key;
  /** Decodes the sound; rejects with a sentence to show. */
  readonly decode: () => Promise<AudioBuffer>;
  readonly name: string;
  readonly isLoop: boolean;
}

/** Plays a sound, a loop repeatedly, while the button is mounted. Only one sound plays at a time. */
export function PlayButton<Key>(props: PlayButtonProps<Key>): VNode {
  const { player, sound, decode, name, isLoop } = props;
  const plays = usePlays(player, sound);
  const [error, setError] = useState<string | null>(null);
  // A removed button stops its sound.
  useEffect(
    () => () => {
      if (player.plays(sound)) player.stop();
    },
    [player, sound],
  );
  const play = (): void => {
    setError(null);
    player.play(sound, decode, isLoop).catch((failure: unknown) => {
      setError(failure instanceof Error ? failure.message : String(failure));
    });
  };
  return (
    <>
      <button
        type="button"
        class="play"
        aria-label={`${plays ? "Stop" : "Play"} ${name}`}
        onClick={plays ? () => player.stop() : play}
      >
        <svg viewBox="0 0 12 12" aria-hidden="true">
          <path d={plays ? "M2.5 2.5h7v7h-7z" : "M3 1.5v9l7.5-4.5z"} />
        </svg>
      </button>
      <Refused error={error} />
    </>
  );
}
