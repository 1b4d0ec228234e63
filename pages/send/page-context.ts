import { makeContext } from "../kit/use-view.ts";
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

export const [PageContext, usePage] = makeContext<Page>();
