import type { VNode } from "preact";
import { t } from "../text.tsx";
import type { ClipAudio } from "./clip-row.ts";
import { useIsPlaying } from "./use-is-playing.ts";

interface ClipPlayProps {
  readonly clipKey: string;
  /** For screen readers. */
  readonly name: string;
  readonly audio: ClipAudio;
  readonly silentBecause: string | null;
  readonly onPlay: (key: string) => void;
  /** Not reached by Tab: in a row, the arrow keys reach it. */
  readonly isInRow?: boolean;
}

/** Plays a sound, or stops it while it plays. */
export function ClipPlay(props: ClipPlayProps): VNode {
  const { clipKey, name, audio, silentBecause, onPlay, isInRow = false } = props;
  const isPlaying = useIsPlaying(audio, clipKey);
  return (
    <button
      type="button"
      class={`icon play ${isPlaying ? "on" : ""}`}
      tabIndex={isInRow ? -1 : 0}
      aria-disabled={silentBecause !== null}
      {...(silentBecause === null ? {} : { title: silentBecause })}
      aria-label={isPlaying ? t("clips.stop", { name }) : t("clips.play", { name })}
      onClick={() => onPlay(clipKey)}
    >
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d={isPlaying ? "M2.5 2.5h7v7h-7z" : "M3 1.5v9l7.5-4.5z"} />
      </svg>
    </button>
  );
}
