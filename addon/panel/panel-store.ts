import type { ImportRequest, PanelStart, PanelState } from "../../core/protocol/panel-api.ts";
import { followLines } from "../../web/follow-lines.ts";
import type { Link } from "../../web/link.ts";
import { ViewStore } from "../../web/view-store.ts";
import { ControlCalls } from "./control-calls.ts";
import { closeDialog, isInDialog } from "./live-dialog.ts";
import { announceChange } from "./text/announce.ts";

/** What the page shows at one moment; never changed, only replaced. */
export interface PanelView {
  readonly link: Link;
  /** null until the importer has answered. */
  readonly state: PanelState | null;
  /** When the state was read, by `performance.now()`: its spans count from then. */
  readonly readAtMs: number;
  /** What somebody who can't see the page is told next. */
  readonly announcement: string;
  /** How many there were: the same words may come twice. */
  readonly announcements: number;
}

/** The page's one state: follows the importer and tells who listens of every change. */
export class PanelStore extends ViewStore<PanelView> {
  readonly calls: ControlCalls;
  readonly isDialog: boolean;
  /** Where the importer itself serves this page. */
  readonly ownAddress: string;
  /** The package whose result the page was opened for. */
  readonly shownResult: string | undefined;

  constructor(start: PanelStart) {
    super({
      link: "looking",
      state: start.state ?? null,
      readAtMs: performance.now(),
      announcement: "",
      announcements: 0,
    });
    this.calls = new ControlCalls(start);
    this.isDialog = start.isDialog || isInDialog();
    this.ownAddress = `${start.address}/#${start.secret}`;
    this.shownResult = start.showResultOf;
  }

  /** Follows the importer until the signal aborts. */
  follow(signal: AbortSignal): Promise<void> {
    const onState = (state: PanelState): void => {
      const { state: before, announcements } = this.view;
      const news = before === null ? [] : announceChange(before, state);
      this.change({
        link: "live",
        state,
        readAtMs: performance.now(),
        ...(news.length > 0 && { announcement: news.join(" "), announcements: announcements + 1 }),
      });
    };
    const onLink = (link: Link): void => this.change({ link });
    return followLines(
      (connection) => this.calls.openState(connection),
      { onState, onLink },
      signal,
    );
  }

  /** Begins an import; in Live's dialog the choice is the dialog's answer, and Live shows the progress. */
  async import(request: ImportRequest): Promise<void> {
    if (this.isDialog) closeDialog(JSON.stringify(request));
    else await this.calls.beginRun(request);
  }
}
