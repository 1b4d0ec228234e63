import type { PageComputer } from "./pairing/page-computer.ts";
import type { Sending } from "./sending/sending.ts";
import type { SentItem } from "./sending/sent-item.ts";
import type { PageSound, RefusedFile } from "./sounds/page-sound.ts";

/** The page's immutable state: replaced, never changed. */
export interface PageView {
  /** The selected computer comes first; null until they are read. */
  readonly computers: readonly PageComputer[] | null;
  /** The content of the code field; null while the page doesn't ask for a code. */
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
  /** The package being sent; null if there is none. */
  readonly sending: Sending | null;
  /** Why the last package was not sent. */
  readonly sendError: string | null;
  /** Newest first. */
  readonly sent: readonly SentItem[];
  /** Something that happened without the user, such as a pairing that was ended elsewhere. */
  readonly notice: string | null;
  /** What a screen reader announces next. */
  readonly announcement: string;
}

/** The page's first state. */
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
