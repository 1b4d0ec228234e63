import type { VNode } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { t } from "../page-language.ts";
import { readStored, storeSetting } from "../stored-setting.ts";
import { usePicked } from "../use-view.ts";
import type { ScenePlayer } from "./scene-player.ts";

const SETTING = "soundferry.volume";

/** The volume of all that a page plays, which the browser remembers (rule N25). */
export function VolumeSlider({ player }: { readonly player: ScenePlayer }): VNode {
  const volume = usePicked(player, (view) => view.volume);
  useLayoutEffect(() => {
    const stored = readStored(SETTING);
    if (stored !== null) player.setVolume(Number(stored));
  }, [player]);
  const set = (percent: number): void => {
    player.setVolume(percent / 100);
    storeSetting(SETTING, String(player.view.volume));
  };
  return (
    <label class="volume">
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d="M1 4.5h2L6 2v8L3 7.5H1z" />
        <path class="stroke" d="M8 4.5q1 1.5 0 3M9.75 3q2 3 0 6" />
      </svg>
      <input
        type="range"
        min={0}
        max={100}
        aria-label={t("clips.volume")}
        title={t("clips.volume")}
        value={Math.round(volume * 100)}
        onInput={({ currentTarget }) => set(currentTarget.valueAsNumber)}
      />
    </label>
  );
}
