import type { PageComputer } from "./pairing/page-computer.ts";
import type { Sending } from "./sending/sending.ts";
import type { SentItem } from "./sending/sent-item.ts";
import type { PageSound, RefusedFile } from "./sounds/page-sound.ts";

/** What the page shows at one moment; never changed, only replaced. */
export interface PageView {
  /** The one that is sent to comes first; null until they are read. */
  readonly computers: readonly PageComputer[] | null;
  /** What the code's field holds; null where no code is asked for. */
  readonly code: string | null;
  /** As typed. */
  readonly title: string;
  /** The tempo of all loops, as typed. */
  readonly bpm: string;
  readonly sounds: readonly PageSound[];
  /** Files that can't be sent, with the reason. */
  readonly refused: readonly RefusedFile[];
  /** How many files are being read. */
  readonly reading: number;
  /** A package that is on its way; null where none is. */
  readonly sending: Sending | null;
  /** Why the last package was not sent. */
  readonly sendError: string | null;
  /** The newest first. */
  readonly sent: readonly SentItem[];
  /** Something that happened by itself, such as a pairing that was ended elsewhere. */
  readonly notice: string | null;
  /** What somebody who can't see the page is told next. */
  readonly announcement: string;
}

/** The page as it is opened. */
export const FIRST_VIEW: PageView = {
  computers: null,
  code: null,
  title: "",
  bpm: "",
  sounds: [],
  refused: [],
  reading: 0,
  sending: null,
  sendError: null,
  sent: [],
  notice: null,
  announcement: "",
};
