import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../../kit/text.tsx";
import type { PackageAudio } from "./package-audio.ts";

interface PlayTogetherProps {
  readonly audio: PackageAudio;
  /** The ticked sounds. */
  readonly ticked: ReadonlySet<string>;
  /** How many of them are loops that can be played. */
  readonly count: number;
}

/** Plays the ticked loops in sync, as the scene that they become; its room is kept where there are fewer than two. */
export function PlayTogether({ audio, ticked, count }: PlayTogetherProps): VNode {
  const [isOn, setIsOn] = useState(audio.isSceneOn);
  useEffect(() => {
    const look = (): void => setIsOn(audio.isSceneOn);
    look();
    return audio.subscribe(look);
  }, [audio]);
  return (
    <div class="play-together">
      {(count > 1 || isOn) && (
        <button type="button" aria-pressed={isOn} onClick={() => void audio.toggleScene(ticked)}>
          {isOn ? t("panel.stop") : t("panel.play-loops", { count })}
        </button>
      )}
    </div>
  );
}
