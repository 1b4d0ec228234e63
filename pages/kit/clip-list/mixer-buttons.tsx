import type { VNode } from "preact";
import { t } from "../text.tsx";
import type { ClipMixer } from "./clip-list-props.ts";

interface MixerButtonsProps {
  readonly mixer: ClipMixer;
  readonly clipKey: string;
  /** For screen readers. */
  readonly name: string;
  /** Not reached by Tab: in a row, the arrow keys reach them. */
  readonly isInRow?: boolean;
}

/** Mute and solo of one sound. */
export function MixerButtons({ mixer, clipKey, name, isInRow = false }: MixerButtonsProps): VNode {
  const isMuted = mixer.muted.has(clipKey);
  const isSoloed = mixer.soloed.has(clipKey);
  const tabIndex = isInRow ? -1 : 0;
  return (
    <>
      <button
        type="button"
        class={`icon mute ${isMuted ? "on" : ""}`}
        tabIndex={tabIndex}
        aria-label={t("clips.mute", { name })}
        aria-pressed={isMuted}
        onClick={() => mixer.onMute(clipKey, !isMuted)}
      >
        M
      </button>
      <button
        type="button"
        class={`icon solo ${isSoloed ? "on" : ""}`}
        tabIndex={tabIndex}
        aria-label={t("clips.solo", { name })}
        aria-pressed={isSoloed}
        onClick={() => mixer.onSolo(clipKey, !isSoloed)}
      >
        S
      </button>
    </>
  );
}
