import type { ComponentChildren } from "preact";
import type { PanelStart, PanelState } from "../../core/protocol/panel-api.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import type { Link } from "../kit/secret-calls.ts";
import { ViewStore } from "../../core/view-store.ts";
import { closeDialog, isInDialog } from "./live-dialog.ts";
import {
  type ChosenSounds,
  importRequestOf,
  NO_CHOICE,
  type PackageChoice,
} from "./packages/package-choice.ts";
import type { PickFilter } from "./packages/pick-filter.ts";
import {
  followPickList,
  openPickList,
  type PickList,
  type PickView,
  viewOf,
  rowsOf,
} from "./packages/pick-list.ts";
import { failureOf, type PickRow } from "./packages/pick-row.ts";
import type { PanelCalls } from "./panel-calls.ts";
import { notifyOfArrivals } from "./notifications.ts";
import { announceArrivals, announceChange } from "./text/announce.ts";
import { withOwnWords } from "./text/own-words.ts";
import { t } from "../kit/page-language.ts";
import { makeContext } from "../kit/use-view.ts";
import type { ScenePlayer } from "../kit/playback/scene-player.ts";

const STATE_WAIT_MS = 2000;

/** An immutable snapshot of what the page shows. */
export interface PanelView {
  readonly link: Link;
  /** The importer's state; null until it has answered. */
  readonly state: PanelState | null;
  /** Time at which the state was read, by `performance.now()`; remaining times count from then. */
  readonly readAtMs: number;
  readonly list: PickList;
  /** The key of the row that a person selected. */
  readonly selected: string | null;
  /** The person's choices, by the rows' keys. */
  readonly choices: ReadonlyMap<string, PackageChoice>;
  /** Names of the actions that have begun, as `act` makes them. */
  readonly busy: ReadonlySet<string>;
  /** Reasons why the rows' last actions failed, by the rows' keys. */
  readonly errors: ReadonlyMap<string, string>;
  /** The latest text for screen readers. */
  readonly announcement: string;
  /** Number of announcements so far, because the same text may come twice. */
  readonly announcements: number;
}

interface ImportOptions {
  readonly sounds: ChosenSounds;
  /** The tempo to set with the import; null leaves the session's. */
  readonly tempoBpm?: number | null;
  readonly reuseTracks?: boolean;
}

/** The page's state: follows the importer and notifies listeners. */
export class PanelStore extends ViewStore<PanelView> {
  readonly calls: PanelCalls;
  readonly isDialog: boolean;
  /** The row whose result the page was opened for. */
  readonly shownResult: string | undefined;

  #onNextState: () => void = () => undefined;

  constructor(calls: PanelCalls, start: Omit<PanelStart, "address" | "secret">) {
    const state = start.state === undefined ? null : withOwnWords(start.state);
    super({
      link: "looking",
      state,
      readAtMs: performance.now(),
      list: openFirst(state, start.showResultOf),
      selected: start.showResultOf ?? null,
      choices: new Map(),
      busy: new Set(),
      errors: new Map(),
      announcement: "",
      announcements: 0,
    });
    this.calls = calls;
    this.isDialog = start.isDialog || isInDialog();
    this.shownResult = start.showResultOf;
  }

  /** Follows the importer until the signal aborts. */
  follow(signal: AbortSignal): Promise<void> {
    const onLink = (link: Link): void => this.change({ link });
    const onState = (state: PanelState): void => this.#read(withOwnWords(state));
    return this.calls.follow({ onState, onLink }, signal);
  }

  /** Opens the list of waiting packages, or the history. Rows change their places only then. */
  openView(view: PickView): void {
    this.change({ list: openPickList(view, this.view.state), selected: null });
  }

  /** Lists the packages of the open view that match. */
  filter(filter: PickFilter): void {
    const { list, state } = this.view;
    const { view, isLong } = list;
    this.change({ list: openPickList(view, state, { filter, isLong }) });
  }

  select(key: string | null): void {
    this.change({ selected: key });
  }

  choiceOf(key: string): PackageChoice {
    return this.view.choices.get(key) ?? NO_CHOICE;
  }

  choose(key: string, choice: Partial<PackageChoice>): void {
    const choices = new Map(this.view.choices);
    choices.set(key, { ...this.choiceOf(key), ...choice });
    this.change({ choices });
  }

  /**
   * Starts the import of the ticked sounds, once for a click; in Live's dialog, closes it with the request, and Live
   * shows the progress.
   */
  import(
    row: PickRow,
    { sounds, tempoBpm = null, reuseTracks = false }: ImportOptions,
  ): Promise<void> {
    return this.act(row.key, "import", async () => {
      if (sounds.ticked.size === 0) throw new Error(t("run.NONE_CHOSEN"));
      const request = {
        ...importRequestOf(row, sounds, tempoBpm),
        ...(reuseTracks && { reuseTracks }),
      };
      if (this.isDialog) closeDialog(JSON.stringify(request));
      else await this.calls.send("beginRun", request);
    });
  }

  /**
   * Runs a click's action once: it ignores further clicks until the importer's next state shows the result, for two
   * seconds at most.
   * @param key key of the row that shows its error
   * @param what name of the action, which differs from the row's other actions
   */
  async act(key: string, what: string, act: () => Promise<void>): Promise<void> {
    const name = `${what} ${key}`;
    if (this.view.busy.has(name)) return;
    const errors = new Map(this.view.errors);
    errors.delete(key);
    this.change({ busy: new Set(this.view.busy).add(name), errors });
    try {
      await act();
      await this.#nextState();
    } catch (failure) {
      const error = sentenceOf(failure);
      this.change({ errors: new Map(this.view.errors).set(key, error) });
    } finally {
      const busy = new Set(this.view.busy);
      busy.delete(name);
      this.change({ busy });
    }
  }

  #nextState(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, STATE_WAIT_MS);
      const before = this.#onNextState;
      this.#onNextState = () => {
        clearTimeout(timer);
        before();
        resolve();
      };
    });
  }

  #read(state: PanelState): void {
    const { state: before, list: listBefore, announcements } = this.view;
    const news = before === null ? [] : announceChange(before, state);
    // The first states only list what was there.
    if (before?.isReading === false) notifyOfArrivals(announceArrivals(before, state));
    const list =
      before === null ? openFirst(state, this.shownResult) : followPickList(listBefore, state);
    this.change({
      link: "live",
      state,
      readAtMs: performance.now(),
      list,
      choices: withoutImported(this.view.choices, listBefore, list),
      ...(news.length > 0 && { announcement: news.join(" "), announcements: announcements + 1 }),
    });
    this.#onNextState();
    this.#onNextState = () => undefined;
  }
}

/** Opens the waiting packages, or the view with the result that the page was opened for. */
function openFirst(state: PanelState | null, shown: string | undefined): PickList {
  const row = state === null ? undefined : rowsOf(state).find(({ key }) => key === shown);
  return openPickList(row === undefined ? "waiting" : viewOf(row), state);
}

/** Removes the choices for imports that have a result now. */
function withoutImported(
  choices: ReadonlyMap<string, PackageChoice>,
  before: PickList,
  after: PickList,
): ReadonlyMap<string, PackageChoice> {
  if (choices.size === 0) return choices;
  const ran = new Set(before.rows.flatMap(({ key, run }) => (run === null ? [] : [key])));
  const imported = after.rows.filter(
    (row) => ran.has(row.key) && row.run === null && failureOf(row) === null,
  );
  const left = new Map(choices);
  for (const { key } of imported) left.delete(key);
  return left;
}

export interface Panel {
  readonly store: PanelStore;
  /** A player whose scenes are packages; one package or one sound is heard at a time. */
  readonly player: ScenePlayer;
  /** Absent where the panel is the whole page. */
  readonly around?: PageAround;
}

/** The parts that a page adds to the panel. */
export interface PageAround {
  /** Sections at the end of the settings. */
  readonly settings: ComponentChildren;
  /** Words of a button that some packages have, and the button. */
  readonly packageButton: {
    readonly words: string;
    readonly of: (row: PickRow) => ComponentChildren;
  };
}

export const [PanelContext, usePanel] = makeContext<Panel>();
