import { useEffect, useState } from "preact/hooks";
import { usePanel } from "../panel-context.ts";
import type { SoundPlace } from "./sound-shelf.ts";

/** Whether the sound plays now, or is fetched to be played. */
export function usePlays({ packageId, soundId }: SoundPlace): boolean {
  const { player } = usePanel();
  const [plays, setPlays] = useState(false);
  useEffect(() => {
    const look = (): void => setPlays(player.plays({ packageId, soundId }));
    look();
    return player.subscribe(look);
  }, [player, packageId, soundId]);
  return plays;
}
