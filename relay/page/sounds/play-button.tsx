import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { PLAY_BYTES } from "../../../core/page/sound-limits.ts";
import { usePage } from "../page-context.ts";
import { useAction } from "../../../web/use-action.ts";
import type { PageSound } from "./page-sound.ts";
import { Refused } from "../../../web/refused.tsx";

/** Plays a sound, a loop again and again; another one that plays stops. */
export function PlayButton({ sound }: { readonly sound: PageSound }): VNode | null {
  const { player } = usePage();
  const { begin, error } = useAction();
  const { source, name, kind } = sound;
  const [plays, setPlays] = useState(false);
  useEffect(() => {
    const look = (): void => setPlays(player.plays(source));
    look();
    return player.subscribe(look);
  }, [player, source]);
  // What goes away is not heard any more.
  useEffect(
    () => () => {
      if (player.plays(source)) player.stop();
    },
    [player, source],
  );
  if (source.size > PLAY_BYTES) return null;
  const play = (): void => begin(() => player.play(source, kind === "loop"));
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
