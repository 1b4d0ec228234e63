import type { LiveScope, LiveUi } from "../../../../../addon/hosts/live/sdk/live-api.ts";
import type { LiveHabits } from "./live-habits.ts";
import type { LiveTurns } from "./live-turns.ts";

/** A modal dialog that was shown. */
export interface ShownDialog {
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

/** The texts of the progress dialog: the first one, and those of the updates. */
export interface ShownProgress {
  readonly text: string;
  /** 0 to 100; undefined where none was given. */
  readonly percent: number | undefined;
}

interface MenuAction {
  readonly scope: LiveScope;
  readonly title: string;
  readonly commandId: string;
}

type UiHabits = Pick<LiveHabits, "losesReasons" | "refusedDialogs">;

/**
 * Live's menus and dialogs. Only one dialog is open at a time; a modal one keeps the Set from changing
 * for as long.
 */
export class StandInUi implements LiveUi {
  readonly actions: MenuAction[] = [];
  readonly dialogs: ShownDialog[] = [];
  readonly progress: ShownProgress[] = [];
  /** Plays the person at a modal dialog: returns the text that the page sends, empty to close it. */
  answerDialog: (dialog: ShownDialog) => Promise<string> | string = () => "";
  /** Called with everything that the progress dialog shows. */
  onProgress: (progress: ShownProgress) => void = () => undefined;
  readonly #commands = new Map<string, (target: unknown) => void>();
  readonly #turns: LiveTurns;
  readonly #habits: UiHabits;
  #refusals = 0;
  #isOpen = false;
  #cancel: AbortController | undefined;

  constructor(turns: LiveTurns, habits: UiHabits) {
    this.#turns = turns;
    this.#habits = habits;
  }

  registerCommand(commandId: string, handler: (target: unknown) => void): void {
    if (this.#commands.has(commandId)) throw new Error(`There is a command ${commandId}.`);
    this.#commands.set(commandId, handler);
  }

  registerContextMenuAction(scope: LiveScope, title: string, commandId: string): void {
    this.actions.push({ scope, title, commandId });
  }

  /** Titles of the entries that a right click shows. */
  menuAt(scope: LiveScope): readonly string[] {
    const scopes: readonly LiveScope[] =
      scope === "ClipSlot" ? [scope, "ClipSlotSelection"] : [scope];
    return this.actions.flatMap((each) => (scopes.includes(each.scope) ? [each.title] : []));
  }

  /**
   * Does what a click on a menu's entry does.
   * @returns what the command's handler gave
   * @throws {Error} when there is no such entry, or no command behind it
   */
  click(scope: LiveScope, title: string, target: unknown): unknown {
    const action = this.actions.find((each) => each.scope === scope && each.title === title);
    const handler = action && this.#commands.get(action.commandId);
    if (handler === undefined) throw new Error(`Nothing happens at ${scope}: ${title}.`);
    return handler(target);
  }

  /** Does what the progress dialog's Cancel does. */
  cancel(): void {
    this.#cancel?.abort();
  }

  async showModalDialog(url: string, width: number, height: number): Promise<string> {
    const dialog = { url, width, height };
    if (this.#refusals > 0) {
      this.#refusals -= 1;
      throw this.#refusal(new Error("A dialog has just closed."));
    }
    return this.#alone(async () => {
      this.dialogs.push(dialog);
      this.#turns.hold();
      try {
        return await this.answerDialog(dialog);
      } finally {
        this.#turns.release();
      }
    });
  }

  async withinProgressDialog<Outcome>(
    text: string,
    options: { readonly progress?: number },
    act: (
      update: (text: string, percent?: number) => unknown,
      signal: AbortSignal,
    ) => Promise<Outcome>,
  ): Promise<Outcome> {
    return this.#alone(async () => {
      const cancel = new AbortController();
      this.#cancel = cancel;
      this.#show(text, options.progress);
      try {
        return await act((next, percent) => this.#update(cancel, next, percent), cancel.signal);
      } finally {
        this.#cancel = undefined;
      }
    });
  }

  async #alone<Outcome>(show: () => Promise<Outcome>): Promise<Outcome> {
    if (this.#isOpen) throw this.#refusal(new Error("A dialog is open."));
    this.#isOpen = true;
    try {
      return await show();
    } catch (error) {
      throw this.#refusal(error);
    } finally {
      this.#isOpen = false;
      this.#refusals = this.#habits.refusedDialogs;
    }
  }

  #update(owner: AbortController, text: string, percent: number | undefined): Promise<void> {
    if (owner !== this.#cancel) return Promise.reject(this.#refusal(new Error("It is closed.")));
    this.#show(text, percent);
    return Promise.resolve();
  }

  #show(text: string, percent: number | undefined): void {
    const progress = { text, percent };
    this.progress.push(progress);
    this.onProgress(progress);
  }

  #refusal(error: unknown): unknown {
    return this.#habits.losesReasons ? undefined : error;
  }
}
