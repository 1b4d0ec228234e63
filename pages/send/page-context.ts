import type { SendSession } from "../../client/send/session/send-session.ts";
import type { SessionRecording } from "../../client/send/session/session-recording.ts";
import type { SessionSounds } from "../../client/send/session/session-sounds.ts";
import type { ClipAudio } from "../kit/clip-list/clip-row.ts";
import { makeContext } from "../kit/use-view.ts";
import type { PageActions } from "./page-actions.ts";

/** The objects that every part of the page can use. */
export interface Page {
  readonly relayUrl: string;
  readonly session: SendSession;
  readonly sounds: SessionSounds;
  readonly recording: SessionRecording;
  readonly actions: PageActions;
  /** The sounds of the new package. */
  readonly draftAudio: ClipAudio;
  /** The sounds of sent packages. */
  readonly sentAudio: ClipAudio;
  /** Checks whether a sent sound is still on this page, by the key of its row. */
  readonly isHere: (key: string) => boolean;
}

export const [PageContext, usePage] = makeContext<Page>();
