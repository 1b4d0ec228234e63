import type { VNode } from "preact";
import { Refused } from "../../../web/refused.tsx";
import { useState } from "preact/hooks";
import { usePanel } from "../panel-context.ts";
import type { SoundPlace } from "./sound-shelf.ts";
import { usePlays } from "./use-plays.ts";

interface PlayButtonProps {
  readonly place: SoundPlace;
  readonly name: string;
  readonly isLoop: boolean;
}

/** Plays a sound, a loop again and again; another one that plays stops. */
export function PlayButton({ place, name, isLoop }: PlayButtonProps): VNode {
  const { player } = usePanel();
  const plays = usePlays(place);
  const [error, setError] = useState<string | null>(null);
  const play = (): void => {
    setError(null);
    player.play(place, isLoop).catch((failure: unknown) => {
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
