import type { LiveContext, LiveScope } from "../hosts/live/sdk/live-api.ts";

/** The menus with the commands, under Extensions → Soundferry. */
const SCOPES: readonly LiveScope[] = [
  "Scene",
  "ClipSlot",
  "ClipSlotSelection",
  "AudioTrack",
  "MidiTrack",
];

/** Handlers of the menu items, called with Live's handle of the clicked object; Live ignores what they return. */
export interface MenuCommands {
  readonly choose: (target: unknown) => unknown;
  readonly importNewest: (target: unknown) => unknown;
}

/** Adds both commands to the context menus of scenes, clip slots and tracks; a menu that Live refuses is skipped. */
export function registerMenu(context: LiveContext, { choose, importNewest }: MenuCommands): void {
  const commands = [
    { id: "soundferry.import", title: "Import from Soundferry…", handler: choose },
    { id: "soundferry.import-newest", title: "Import newest", handler: importNewest },
  ];
  for (const { id, title, handler } of commands) {
    context.commands.registerCommand(id, handler);
    for (const scope of SCOPES) {
      // An unhandled rejection would end the extension.
      const register = async () => context.ui.registerContextMenuAction(scope, title, id);
      register().catch(() => undefined);
    }
  }
}
