import { useEffect, useState } from "preact/hooks";
import type { SoundPlayer } from "./sound-player.ts";

/** Whether the sound is playing or being fetched. */
export function usePlays<Key>(player: SoundPlayer<Key>, key: Key): boolean {
  const [plays, setPlays] = useState(false);
  useEffect(() => {
    const look = (): void => setPlays(player.plays(key));
    look();
    return player.subscribe(look);
  }, [player, key]);
  return plays;
}
