import { dirname, join } from "node:path";
import { isJsonObject } from "../../core/text/json-object.ts";
import type { Host } from "../hosts/host.ts";
import { lookAtControlSurface } from "../hosts/live/remote-script/find-control-surface.ts";
import { surfaceSetup } from "../live-setup/live-setup-of.ts";
import type { LiveContext } from "../hosts/live/sdk/live-api.ts";
import { liveCheckerOf } from "../live-check/live-checker-of.ts";
import { LiveHost } from "../hosts/live/sdk/live-host.ts";
import { surfaceInLive } from "../hosts/live/sdk/surface-in-live.ts";
import { startImporter } from "../control/open-importer.ts";
import { readImporterSettings } from "../settings.ts";
import { openStoredSettings } from "../state/stored-settings.ts";
import { findGrantedFolder } from "./granted-folder.ts";
import { ImportCommands, ImporterStart } from "./import-commands.ts";
import { registerMenu } from "./menu.ts";
import type { Pause } from "./panel-dialog.ts";

export interface ExtensionDeps {
  readonly context: LiveContext;
  /** Used instead of the Extensions SDK while they are ready (rule R9); the control surface by default. */
  readonly preferredHosts?: readonly Host[];
  /** Kinds for `getObjectFromHandle`. */
  readonly kinds: { readonly Scene: unknown; readonly ClipSlot: unknown };
  readonly panelPage: string;
  /** Prefills the panel's address field at first run; may be empty. */
  readonly suggestedRelayUrl: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Waits before a dialog is tried again; really by default. */
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
    const surface = () => surfaceInLive(context, { granted, sounds: settings.soundsFolder });
    return startImporter({
      settings,
      preferredHosts: deps.preferredHosts ?? [surface()],
      host,
      liveChecker: liveCheckerOf({ folders: [granted], soundsFolder: settings.soundsFolder }),
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
  return readImporterSettings(sources, undefined, { relayUrl: null, suggestedRelayUrl });
}

/** What Live says is checked: it is another program's. */
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
      // It is of another kind.
    }
  }
  return undefined;
}
