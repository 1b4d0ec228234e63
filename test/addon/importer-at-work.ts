import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type BuildImporterOptions, buildImporter } from "../../addon/build-importer.ts";
import type { PreviewFaults } from "../../addon/hosts/preview/preview-faults.ts";
import { PreviewHost } from "../../addon/hosts/preview/preview-host.ts";
import { readPreviewSession } from "../../addon/hosts/preview/preview-session.ts";
import type { Importer } from "../../addon/importer.ts";
import type { ImporterSettings } from "../../addon/settings.ts";
import { smallWav } from "../wav-bytes.ts";
import { ManualTimers } from "./manual-timers.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Settings of an importer that keeps to one folder. */
export function settingsIn(folder: string, relayUrl: string | null): ImporterSettings {
  return {
    relayUrl,
    suggestedRelayUrl: "",
    relayFixedBecause: null,
    registrationKey: undefined,
    dataFolder: join(folder, "data"),
    soundsFolder: join(folder, "sounds"),
    isSoundsFolderNew: false,
    soundsFixedBecause: null,
    inboxFolder: join(folder, "inbox"),
    isInboxGiven: true,
    panelPort: 0,
    deviceName: "Studio",
  };
}

export interface WorkOptions {
  /** Folder of an earlier importer; a new one by default. */
  readonly folder?: string;
  readonly settings?: Partial<ImporterSettings>;
  readonly faults?: PreviewFaults;
  readonly more?: Partial<
    Pick<
      BuildImporterOptions,
      "autoImport" | "host" | "preferredHosts" | "otherHosts" | "now" | "replaceCode" | "isOwnRelay"
    >
  >;
}

/** Returns the options of an importer on the preview host. */
export async function importerOptions(
  relayUrl: string | null,
  work: WorkOptions = {},
): Promise<BuildImporterOptions & { readonly folder: string }> {
  const folder = work.folder ?? (await temporaryFolder());
  const settings = { ...settingsIn(folder, relayUrl), ...work.settings };
  const session = join(settings.dataFolder, "preview-session.json");
  const faults = work.faults === undefined ? {} : { faults: work.faults };
  return { folder, settings, host: new PreviewHost(session, faults), ...work.more };
}

/** An importer with a hand-driven clock that is closed when the test is over. */
export async function importerAtWork(relayUrl: string | null, work: WorkOptions = {}) {
  const timers = new ManualTimers();
  const { folder, ...options } = await importerOptions(relayUrl, work);
  const importer: Importer = buildImporter({ ...options, timers, random: () => 0 });
  onTestFinished(() => importer.close());
  const { dataFolder, inboxFolder } = options.settings;
  const session = () => readPreviewSession(join(dataFolder, "preview-session.json"));
  return { importer, timers, folder, session, settings: options.settings, inboxFolder };
}

/** Puts a package of one-shots into a folder, which is made. */
export async function writeLocalPackage(
  folder: string,
  title: string,
  names: readonly string[],
): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const name of names) await writeFile(join(folder, `${name}.wav`), smallWav());
  const items = names.map((name) => ({ file: `${name}.wav`, name, kind: "oneshot" }));
  const manifest = { schema: "app2host/1", title, source: { app: "Looper" }, items };
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
  return folder;
}
