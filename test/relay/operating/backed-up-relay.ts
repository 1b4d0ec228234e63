import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { backUp, type BackupOptions } from "../../../relay/operating/back-up.ts";
import { openActions } from "../../../relay/operating/administer.ts";
import { openView } from "../../../relay/operating/relay-view.ts";
import { readRelaySettings } from "../../../relay/settings.ts";
import { RunningRelay } from "../running-relay.ts";
import { temporaryFolder } from "../storage/sqlite/open-sqlite.ts";

/**
 * A relay with two packages of two sounds and one, and an empty folder for backups.
 * @param environment settings of stores that other relays may share
 */
export async function relayWithSounds(environment?: Readonly<Record<string, string>>) {
  const relay = await RunningRelay.start(environment, { hasOwnClock: environment !== undefined });
  onTestFinished(() => relay[Symbol.asyncDispose]());
  const settings = readRelaySettings({
    environment: { SOUNDFERRY_DATA: relay.folder, ...environment },
  });
  const { token, importer } = await relay.paired();
  const packages: string[] = [];
  for (const files of [["kick.wav", "pad.wav"], ["bass.wav"]]) {
    packages.push(await relay.send(token, files));
  }
  const target = await emptyFolder();
  const run = (options: Partial<BackupOptions> = {}) =>
    backUp({ dataFolder: relay.folder, target, ...options });
  return { relay, settings, token, importer, packages, target, run };
}

/** A folder that is removed when the test ends. */
export async function emptyFolder(): Promise<string> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder[Symbol.asyncDispose]());
  return folder.path;
}

/** An operator's hand on a folder: another connection, as another process has. It lets go when the test ends. */
export async function handOn(folder: string) {
  const admin = await openActions({ dataFolder: folder }, { who: "anna" });
  onTestFinished(() => admin[Symbol.asyncDispose]());
  return admin;
}

/** An operator's look into a folder, until the test ends. */
export async function lookInto(folder: string) {
  const view = await openView({ dataFolder: folder });
  onTestFinished(() => view[Symbol.asyncDispose]());
  return view;
}

/** A relay on a folder that was restored. It stops when the test ends, and keeps its folder. */
export async function startOn(folder: string): Promise<RunningRelay> {
  const relay = await RunningRelay.start({ SOUNDFERRY_DATA: folder });
  onTestFinished(() => relay.stop());
  return relay;
}

/** Keys of the sounds in a data folder or a backup, sorted; unfinished ones end in `.part`. */
export async function soundsIn(folder: string): Promise<readonly string[]> {
  const paths = await readdir(join(folder, "sounds"), { recursive: true });
  return paths
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.includes("snd_") && !path.startsWith(".quarantine"))
    .toSorted();
}
