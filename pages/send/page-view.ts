import {
  FIRST_VIEW as FIRST_SESSION,
  type SessionView,
} from "../../client/send/session/session-view.ts";
import { ViewStore } from "../../core/view-store.ts";
import { type ClipSelection, NO_SELECTION } from "../kit/clip-list/clip-row.ts";

/** The session's view and what only this page has. It is replaced, never changed. */
export interface PageView extends SessionView {
  readonly selection: ClipSelection;
  /** True while the dialog that lists the refused files is open. */
  readonly isListingRefused: boolean;
  /** The reason why the sounds won't survive a reload; null if they will. */
  readonly keepTrouble: string | null;
  /** The id of the sent package on screen; null: the new package. */
  readonly shown: string | null;
  /** The selected sounds of the sent package. */
  readonly sentSelection: ClipSelection;
  /** The name under which this browser pairs and sends. */
  readonly sender: string;
}

/** The page's first state. */
const FIRST_VIEW: PageView = {
  ...FIRST_SESSION,
  selection: NO_SELECTION,
  isListingRefused: false,
  keepTrouble: null,
  shown: null,
  sentSelection: NO_SELECTION,
  sender: "",
};

/** Holds what the page shows. */
export class PageStore extends ViewStore<PageView> {
  constructor() {
    super(FIRST_VIEW);
  }
}
