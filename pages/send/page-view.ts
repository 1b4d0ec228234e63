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
  /** True while the dialog with the computers is open. */
  readonly isPairing: boolean;
  /** The content of the code field. */
  readonly code: string;
  /** The typed title; null to guess it from the files. */
  readonly title: string | null;
  /** The typed tempo of all loops; null to guess it from the files. */
  readonly bpm: string | null;
  readonly sounds: readonly PageSound[];
  readonly selection: ClipSelection;
  /** Files that can't be sent, with the reason. */
  readonly refused: readonly RefusedFile[];
  /** True while the dialog that lists the refused files is open. */
  readonly isListingRefused: boolean;
  /** Number of files that are being read. */
  readonly reading: number;
  /** The recording in progress; null without one. */
  readonly recording: Recording | null;
  /** The reason why nothing can be recorded, or a defect of a recording. */
  readonly recordError: string | null;
  /** The reason why the sounds won't survive a reload; null if they will. */
  readonly keepTrouble: string | null;
  /** The package being sent; null if there is none. */
  readonly sending: Sending | null;
  /** The reason why the last package was not sent. */
  readonly sendError: string | null;
  /** The sent packages, oldest first. */
  readonly sent: readonly SentItem[];
  /** The id of the sent package on screen; null: the new package. */
  readonly shown: string | null;
  /** The selected sounds of the sent package. */
  readonly sentSelection: ClipSelection;
  /** Something that happened without the user, such as a pairing that was ended elsewhere. */
  readonly notice: string | null;
  /** The latest text for screen readers. */
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
  /** Length so far; null while the browser asks for the microphone. */
  readonly seconds: number | null;
  /** The peak of the last moment, from 0 to 1. */
  readonly level: number;
}

/** A package being sent. */
export interface Sending {
  /** The target computer. */
  readonly computerName: string;
  /** Progress; null until the first sound is read. */
  readonly progress: SendProgress | null;
  /** The reason why sending is paused and the time of the next attempt; null while it makes progress. */
  readonly trouble: string | null;
}

/** A computer paired with this page. */
export interface PageComputer {
  readonly pairing: Pairing;
  /** The computer's current name. */
  readonly name: string;
}
