import type { LiveContext, LiveScope } from "../hosts/live/live-api.ts";

/** Where Live shows the commands, under Extensions → Soundferry. */
const SCOPES: readonly LiveScope[] = [
  "Scene",
  "ClipSlot",
  "ClipSlotSelection",
  "AudioTrack",
  "MidiTrack",
];

/** What a click in a menu does; it gets what was clicked, in Live's form. Live looks at nothing that it gives. */
export interface MenuCommands {
  readonly choose: (target: unknown) => unknown;
  readonly importNewest: (target: unknown) => unknown;
}

/**
 * Puts both commands into the context menus of scenes, clip slots and tracks. A menu that Live refuses
 * keeps them out of no other.
 */
export function registerMenu(context: LiveContext, { choose, importNewest }: MenuCommands): void {
  const commands = [
    { id: "soundferry.import", title: "Import from Soundferry…", handler: choose },
    { id: "soundferry.import-newest", title: "Import newest", handler: importNewest },
  ];
  for (const { id, title, handler } of commands) {
    context.commands.registerCommand(id, handler);
    for (const scope of SCOPES) {
      // Live answers later, and a rejection that nobody hears would end the extension.
      const register = async () => context.ui.registerContextMenuAction(scope, title, id);
      register().catch(() => undefined);
    }
  }
}
