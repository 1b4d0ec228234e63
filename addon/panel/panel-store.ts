import type { ImportRequest, PanelStart, PanelState } from "../../core/protocol/panel-api.ts";
import { followLines } from "../../web/follow-lines.ts";
import type { Link } from "../../web/link.ts";
import { ViewStore } from "../../web/view-store.ts";
import { ControlCalls } from "./control-calls.ts";
import { closeDialog, isInDialog } from "./live-dialog.ts";
import { announceChange } from "./text/announce.ts";

/** An immutable snapshot of what the page shows. */
export interface PanelView {
  readonly link: Link;
  /** null until the importer has answered. */
  readonly state: PanelState | null;
  /** When the state was read, by `performance.now()`: remaining times count from then. */
  readonly readAtMs: number;
  /** The latest text for screen readers. */
  readonly announcement: string;
  /** Counts announcements: the same text may come twice. */
  readonly announcements: number;
}

/** The page's state: follows the importer and notifies listeners. */
export class PanelStore extends ViewStore<PanelView> {
  readonly calls: ControlCalls;
  readonly isDialog: boolean;
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

  /** Starts an import; in Live's dialog, closes it with the request, and Live shows the progress. */
  async import(request: ImportRequest): Promise<void> {
    if (this.isDialog) closeDialog(JSON.stringify(request));
    else await this.calls.beginRun(request);
  }
}
