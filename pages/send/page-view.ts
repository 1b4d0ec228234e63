import type { Pairing } from "../../client/pairing/pairings.ts";
import { type ClipSelection, NO_SELECTION } from "../kit/clip-list/clip-row.ts";
import type { SentItem } from "./sending/sent-item.ts";
import type { PageSound, RefusedFile } from "./sounds/page-sound.ts";
import { ViewStore } from "../../core/view-store.ts";
import type { SendProgress } from "../../client/send/send-options.ts";

/** The page's immutable state: replaced, never changed. */
export interface PageView {
  /** The selected computer comes first; null until they are read. */
  readonly computers: readonly PageComputer[] | null;
  /** Whether the dialog with the computers is open. */
  readonly isPairing: boolean;
  /** The content of the code field. */
  readonly code: string;
  /** As typed; null: guessed from the files. */
  readonly title: string | null;
  /** The tempo of all loops, as typed; null: guessed from the files. */
  readonly bpm: string | null;
  readonly sounds: readonly PageSound[];
  readonly selection: ClipSelection;
  /** Files that can't be sent, with the reason. */
  readonly refused: readonly RefusedFile[];
  /** Whether the dialog that lists them is open. */
  readonly isListingRefused: boolean;
  /** How many files are being read. */
  readonly reading: number;
  /** null while nothing is recorded. */
  readonly recording: Recording | null;
  /** Why nothing can be recorded, or what a recording lacks. */
  readonly recordError: string | null;
  /** Why the sounds won't survive a reload; null if they will. */
  readonly keepTrouble: string | null;
  /** The package being sent; null if there is none. */
  readonly sending: Sending | null;
  /** Why the last package was not sent. */
  readonly sendError: string | null;
  /** Oldest first. */
  readonly sent: readonly SentItem[];
  /** The id of the sent package on screen; null: the new package. */
  readonly shown: string | null;
  /** Its selected sounds. */
  readonly sentSelection: ClipSelection;
  /** Something that happened without the user, such as a pairing that was ended elsewhere. */
  readonly notice: string | null;
  /** What a screen reader announces next. */
  readonly announcement: string;
}

/** The page's first state. */
const FIRST_VIEW: PageView = {
  computers: null,
  isPairing: false,
  code: "",
  title: null,
  bpm: null,
  sounds: [],
  selection: NO_SELECTION,
  refused: [],
  isListingRefused: false,
  reading: 0,
  recording: null,
  recordError: null,
  keepTrouble: null,
  sending: null,
  sendError: null,
  sent: [],
  shown: null,
  sentSelection: NO_SELECTION,
  notice: null,
  announcement: "",
};

/** Holds what the page shows. */
export class PageStore extends ViewStore<PageView> {
  constructor() {
    super(FIRST_VIEW);
  }
}

/** A recording in progress. */
export interface Recording {
  /** null while the browser asks for the microphone. */
  readonly seconds: number | null;
  /** The peak of the last moment, from 0 to 1. */
  readonly level: number;
}

/** A package being sent. */
export interface Sending {
  /** The target computer. */
  readonly computerName: string;
  /** null until the first sound is read. */
  readonly progress: SendProgress | null;
  /** Why sending is paused and when it retries; null while it makes progress. */
  readonly trouble: string | null;
}

/** A computer paired with this page. */
export interface PageComputer {
  readonly pairing: Pairing;
  /** Its current name. */
  readonly name: string;
}
