import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { ClipAudio } from "../kit/clip-list/clip-row.ts";
import type { PairingActions } from "./pairing/pairing-actions.ts";
import type { RecordingActions } from "./sounds/recording-actions.ts";
import type { SendActions } from "./sending/send-actions.ts";
import type { SentActions } from "./sending/sent-actions.ts";
import type { HeardSound } from "./sounds/page-audio.ts";
import type { SoundActions } from "./sounds/sound-actions.ts";

/** The objects that every part of the page can use. */
export interface Page {
  readonly relayUrl: string;
  readonly pairing: PairingActions;
  readonly sounds: SoundActions;
  readonly recorder: RecordingActions;
  readonly sending: SendActions;
  readonly sent: SentActions;
  /** The sounds of the new package. */
  readonly draftAudio: ClipAudio;
  /** The sounds of sent packages. */
  readonly sentAudio: ClipAudio;
  /** Sounds that were sent since the page was opened, by the key of their row. */
  readonly sentSounds: Map<string, HeardSound>;
}

export const PageContext = createContext<Page | null>(null);

/** Returns the page around a component. @throws {Error} outside the page */
export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === null) throw new Error("There is no page around this.");
  return page;
}
