import { join } from "node:path";
import { PreviewHost } from "../../../addon/hosts/preview/preview-host.ts";
import type { ImporterState } from "../../../addon/state/importer-state.ts";
import { type RunningImporter, startImporter } from "../../../addon/control/open-importer.ts";
import { readImporterSettings } from "../../../addon/settings.ts";
import { startHash } from "../../../program/hashing/start-hash.ts";
import { keepYoungMemorySmall } from "../../../cli/young-memory.ts";
import { answerCalls } from "./answer-calls.ts";

let running: RunningImporter | undefined;

function importer() {
  if (running === undefined) throw new Error("The importer was not started.");
  return running.importer;
}

/** Resolves when the importer's state satisfies the predicate. */
function until(isSo: (state: ImporterState) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = importer().subscribe(look);
    function look(state: ImporterState) {
      if (!isSo(state)) return;
      stop();
      resolve();
    }
    look(importer().state);
  });
}

/** The importer as shipped, with the preview host, on its own folders. */
export const importerCalls = {
  /** Returns a pairing code once it is connected. */
  start: async ({ relayUrl, folder }: { readonly relayUrl: string; readonly folder: string }) => {
    const flags = {
      SOUNDFERRY_RELAY_URL: relayUrl,
      SOUNDFERRY_IMPORTER_DATA: join(folder, "importer"),
      SOUNDFERRY_SOUNDS: join(folder, "sounds"),
      SOUNDFERRY_PANEL_PORT: "0",
    };
    const settings = readImporterSettings({ flags, environment: {} });
    const host = new PreviewHost(join(folder, "preview.json"));
    running = await startImporter({ settings, host, startHash });
    await until((state) => state.connection.status === "connected");
    const { code } = await importer().pairingCode();
    return { code };
  },
  /** Resolves as soon as the importer's list has the package. */
  untilListed: ({ packageId }: { readonly packageId: string }) =>
    until(({ packages }) => packages.some((one) => one.package_id === packageId)),
  untilGone: ({ packageId }: { readonly packageId: string }) =>
    until(({ packages }) => packages.every((one) => one.package_id !== packageId)),
  /** Imports a package completely, including the report to the relay. */
  import: async ({ packageId }: { readonly packageId: string }) => {
    const { status } = await importer().import(packageId);
    if (status !== "imported") throw new Error(`The package is ${status}.`);
  },
};
export type ImporterCalls = typeof importerCalls;

// As the command line does before it starts an importer.
keepYoungMemorySmall();
answerCalls(importerCalls);
