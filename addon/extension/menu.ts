import { LIVE_MENU } from "../../core/live-menu.ts";
import type { LiveContext, LiveScope } from "../hosts/live/sdk/live-api.ts";

/** The menus with both commands. */
const SCOPES: readonly LiveScope[] = ["Scene", "ClipSlot", "AudioTrack", "MidiTrack"];

/** Handlers of the menu items, called with Live's handle of the clicked object; Live ignores what they return. */
export interface MenuCommands {
  readonly choose: (target: unknown) => unknown;
  readonly importNewest: (target: unknown) => unknown;
}

/**
 * Adds the commands to the context menus of scenes, clip slots and tracks; a menu that Live refuses is skipped.
 * A selection of slots has an entry with a title of its own: Live may show it beside those of the clicked slot.
 */
export function registerMenu(context: LiveContext, { choose, importNewest }: MenuCommands): void {
  const commands: readonly Command[] = [
    { id: "soundferry.import", title: LIVE_MENU.choose, handler: choose, scopes: SCOPES },
    {
      id: "soundferry.import-newest",
      title: LIVE_MENU.newest,
      handler: importNewest,
      scopes: SCOPES,
    },
    {
      id: "soundferry.import-below-selection",
      title: LIVE_MENU.belowSelection,
      handler: choose,
      scopes: ["ClipSlotSelection"],
    },
  ];
  for (const { id, title, handler, scopes } of commands) {
    context.commands.registerCommand(id, handler);
    for (const scope of scopes) {
      // An unhandled rejection would end the extension.
      const register = async () => context.ui.registerContextMenuAction(scope, title, id);
      register().catch(() => undefined);
    }
  }
}

interface Command {
  readonly id: string;
  readonly title: string;
  readonly handler: (target: unknown) => unknown;
  readonly scopes: readonly LiveScope[];
}
