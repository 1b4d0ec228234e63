import { dirname, join } from "node:path";
import { LIVE_MENU } from "../../core/live-menu.ts";
import { isJsonObject } from "../../core/text/json-object.ts";
import { startImporter } from "../control/open-importer.ts";
import { findGrantedFolder } from "./granted-folder.ts";
import { ImportCommands, ImporterStart } from "./import-commands.ts";
import type { Pause } from "./panel-dialog.ts";
import type { Host } from "../hosts/host.ts";
import { lookAtControlSurface } from "../hosts/live/remote-script/find-control-surface.ts";
import type { LiveContext, LiveScope } from "../hosts/live/sdk/live-api.ts";
import { LiveHost, surfaceInLive } from "../hosts/live/sdk/live-host.ts";
import { buildLiveChecker } from "../live-check/live-checker-of.ts";
import { surfaceSetup } from "../live-setup/live-setup-of.ts";
import { readImporterSettings } from "../settings.ts";
import { openStoredSettings } from "../state/stored-settings.ts";

export interface ExtensionDeps {
  readonly context: LiveContext;
  /**
   * Hosts that are used instead of the Extensions SDK while they are ready (rule R9); the control surface by default.
   */
  readonly preferredHosts?: readonly Host[];
  /** Kinds for `getObjectFromHandle`. */
  readonly kinds: { readonly Scene: unknown; readonly ClipSlot: unknown };
  readonly panelPage: string;
  /** Prefills the panel's address field at first run; may be empty. */
  readonly suggestedRelayUrl: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Waits before a dialog is tried again; replaced in tests. */
  readonly pause?: Pause;
}

export interface LiveExtension {
  /** Resolves when the importer is closed. */
  close(): Promise<void>;
}

/** Adds the commands to Live's menus and starts the importer in the background (rule H9). */
export function startExtension(deps: ExtensionDeps): LiveExtension {
  const { context, kinds, panelPage } = deps;
  const host = new LiveHost(context);
  const start = new ImporterStart(async () => {
    const settings = readSettings(deps);
    // The control surface writes where it listens into the folder that Live gave.
    const granted = dirname(settings.dataFolder);
    const surface = () => surfaceInLive(context, granted, settings.dataFolder);
    return startImporter({
      settings,
      isSoundsFolderOurs: true,
      preferredHosts: deps.preferredHosts ?? [surface()],
      host,
      buildLiveChecker: (soundsFolder) => buildLiveChecker({ folders: [granted], soundsFolder }),
      liveSetup: surfaceSetup([granted], lookAtControlSurface),
      panelPage: async () => panelPage,
    });
  });
  const commands = new ImportCommands({
    ui: context.ui,
    panelPage,
    language: languageOf(context),
    start,
    pause: deps.pause,
    placeOf: (target) =>
      host.placeBelow(...handlesIn(target).map((handle) => findClicked(context, kinds, handle))),
  });
  registerMenu(context, {
    choose: (target) => commands.choose(target),
    importNewest: (target) => commands.importNewest(target),
  });
  start.begin();
  return { close: () => start.close() };
}

/**
 * Reads the environment like every importer, except for the folders: Live lets an extension write only
 * to its own.
 * @throws {Error} with a sentence when there is no such folder
 * @throws {SettingsError} with every problem of the environment
 */
function readSettings({ context, suggestedRelayUrl, environment }: ExtensionDeps) {
  const folder = findGrantedFolder(context.environment);
  const dataFolder = join(folder, "importer");
  const soundsFolder = join(folder, "Sounds");
  const flags = {
    SOUNDFERRY_IMPORTER_DATA: dataFolder,
    SOUNDFERRY_SOUNDS: soundsFolder,
    SOUNDFERRY_INBOX: join(soundsFolder, "Inbox"),
    SOUNDFERRY_PANEL_PORT: "0",
  };
  const stored = openStoredSettings(dataFolder).settings();
  const sources = { flags, environment, stored };
  const settings = readImporterSettings(sources, undefined, { relayUrl: null, suggestedRelayUrl });
  return {
    ...settings,
    soundsFixedBecause: "Live lets its extension write into this folder only.",
  };
}

/** Returns Live's language. Checked, because another program supplies it. */
function languageOf({ environment: { language } }: LiveContext): string | undefined {
  return typeof language === "string" && language !== "" ? language : undefined;
}

/** Returns the clicked handle, or those of all selected clip slots. */
function handlesIn(target: unknown): readonly unknown[] {
  const slots = isJsonObject(target) ? target["selected_clip_slots"] : undefined;
  return Array.isArray(slots) ? slots : [target];
}

/** Returns the scene or slot of a handle; undefined for a track. */
function findClicked(
  context: LiveContext,
  { Scene, ClipSlot }: ExtensionDeps["kinds"],
  handle: unknown,
): unknown {
  for (const kind of [Scene, ClipSlot]) {
    try {
      return context.getObjectFromHandle(handle, kind);
    } catch {
      // The handle is of the other kind.
    }
  }
  return undefined;
}

/** Menus with both commands. */
const SCOPES: readonly LiveScope[] = ["Scene", "ClipSlot", "AudioTrack", "MidiTrack"];

/** Handlers of the menu items, called with Live's handle of the clicked object; Live ignores what they return. */
interface MenuCommands {
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
