import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { PairingActions } from "./pairing/pairing-actions.ts";
import type { SendActions } from "./sending/send-actions.ts";
import type { SentActions } from "./sending/sent-actions.ts";
import type { SoundActions } from "./sounds/sound-actions.ts";
import type { SoundPlayer } from "../../web/sound-player.ts";
import type { SoundCache } from "./sounds/sound-cache.ts";

/** What every part of the page can use. */
export interface Page {
  readonly relayUrl: string;
  readonly pairing: PairingActions;
  readonly sounds: SoundActions;
  readonly sending: SendActions;
  readonly sent: SentActions;
  readonly soundCache: SoundCache;
  readonly player: SoundPlayer<Blob>;
}

export const PageContext = createContext<Page | null>(null);

/** @throws {Error} outside the page */
export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === null) throw new Error("There is no page around this.");
  return page;
}
