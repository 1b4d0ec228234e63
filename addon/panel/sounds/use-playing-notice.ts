import { useEffect, useState } from "preact/hooks";
import type { ScenePlayer } from "../../../web/playback/scene-player.ts";

/** How what plays differs from what the host will play, as a sentence; null in silence. */
export function usePlayingNotice(player: ScenePlayer): string | null {
  const [notice, setNotice] = useState<string | null>(null);
  useEffect(() => {
    const look = (): void => {
      const { sceneKey, notice: said } = player.view;
      setNotice(sceneKey === null ? null : said);
    };
    look();
    return player.subscribe(look);
  }, [player]);
  return notice;
}
