import { spawn } from "node:child_process";
import {
  type ControlAddress,
  isPanelKeyUnused,
  newPanelKey,
} from "../../../addon/control/control-client.ts";
import { type Environment, hasDesktop } from "../../../addon/packages/folder-revealer.ts";
import { findDataFolder } from "../../../addon/settings.ts";
import { PANEL_KEY_MINUTES, panelKeyFragment } from "../../../core/protocol/panel-calls.ts";
import type { SettingsSource } from "../../../core/settings.ts";
import { commandLine } from "../../command.ts";
import { checkLock } from "../../doctor/check-lock.ts";
import type { Output } from "../../output.ts";
import { clearPanelFiles, pauseFor, thisHome, writePanelFile } from "./panel-file.ts";

/** Opens the panel in the browser where somebody sees it (rule N29). */
export async function openPanel(
  panel: ControlAddress,
  output: Output,
): Promise<Opening | undefined> {
  const opener = openerOf(process.platform, process.env);
  return opener === undefined
    ? undefined
    : openBrowser(panel, { opener, output, hasTerminal: process.stderr.isTTY });
}

/** Opens the panel of the importer that runs on the data folder; returns false if none does. */
export async function openRunningPanel(flags: SettingsSource, output: Output): Promise<boolean> {
  const dataFolder = findDataFolder({ flags, environment: process.env });
  const { running } = await checkLock(dataFolder);
  if (running === undefined) return false;
  const { pid, port, secret } = running;
  output.give(
    { panel_url: `http://127.0.0.1:${port}/#${secret}`, panel_port: port },
    `Soundferry is already running (process ${pid}). Its panel: http://127.0.0.1:${port}/`,
  );
  await using opening = await openPanel({ port, secret }, output);
  await opening?.done;
  return true;
}

/** Time after which a browser that hasn't arrived gets help from the person. */
const ARRIVAL_MS = 10_000;
/** A browser that takes longer to start doesn't find the file any more. */
const FILE_MS = 60_000;
const POLL_MS = 200;

/** A program and the words before the address. */
export type Opener = readonly [program: string, ...words: string[]];

/** The system's way to open a file; undefined where nobody would see it. */
export function openerOf(platform: string, environment: Environment): Opener | undefined {
  if (!hasDesktop(platform, environment)) return undefined;
  if (platform === "linux") return ["xdg-open"];
  if (platform === "darwin") return ["open"];
  return platform === "win32" ? ["rundll32", "url.dll,FileProtocolHandler"] : undefined;
}

/** A browser on its way to the panel. Disposing removes its file. */
interface Opening extends AsyncDisposable {
  /** Resolves when a browser has the panel, or can't get it any more; its file is gone then. */
  readonly done: Promise<void>;
}

export interface OpenBrowserOptions {
  readonly opener: Opener;
  readonly output: Pick<Output, "say">;
  /** False where what is said may be read by others, such as in a log file. */
  readonly hasTerminal: boolean;
  /** The computer's home by default. */
  readonly place?: Parameters<typeof writePanelFile>[1];
  /** 10 s by default. */
  readonly arrivalMs?: number;
}

/**
 * Opens the panel. Other people on this computer can read a program's arguments, so the browser gets the path of a file
 * that only this user can read. Where it doesn't arrive, a one-time address is written into the person's terminal.
 */
export async function openBrowser(
  panel: ControlAddress,
  options: OpenBrowserOptions,
): Promise<Opening> {
  const { opener, output, hasTerminal, place = thisHome(), arrivalMs = ARRIVAL_MS } = options;
  await clearPanelFiles(place);
  const key = await newPanelKey(panel);
  const file = await writePanelFile(addressOf(panel, key), place);
  const ending = new AbortController();
  const failing = new AbortController();
  const isOpening = async () =>
    !ending.signal.aborted && (await isPanelKeyUnused(panel, key).catch(() => false));
  const waitUntil = async (endMs: number, signal: AbortSignal): Promise<boolean> => {
    while ((await isOpening()) && performance.now() < endMs && !failing.signal.aborted)
      await pauseFor(POLL_MS, signal);
    return isOpening();
  };
  const follow = async (): Promise<void> => {
    try {
      if (file !== undefined) start(opener, file.path, failing);
      else failing.abort();
      const beganMs = performance.now();
      const signal = AbortSignal.any([ending.signal, failing.signal]);
      if (!(await waitUntil(beganMs + arrivalMs, signal))) return;
      output.say(await helpWith(panel, hasTerminal));
      if (file !== undefined) await waitUntil(beganMs + FILE_MS, signal);
    } catch {
      // The importer is closing.
    } finally {
      await file?.remove();
    }
  };
  const done = follow();
  const dispose = async (): Promise<void> => {
    ending.abort();
    await done;
  };
  return { done, [Symbol.asyncDispose]: dispose };
}

function start([program, ...words]: Opener, path: string, failing: AbortController): void {
  const child = spawn(program, [...words, path], { detached: true, stdio: "ignore" });
  child.once("error", () => failing.abort());
  child.once("exit", (status) => {
    if (status !== 0) failing.abort();
  });
  child.unref();
}

async function helpWith(panel: ControlAddress, hasTerminal: boolean): Promise<string> {
  if (!hasTerminal) {
    const again = commandLine(["importer", "--open"]);
    return `The browser didn't open the panel. Run this in a terminal: ${again}`;
  }
  const address = addressOf(panel, await newPanelKey(panel));
  return `The browser didn't open the panel. Open this address in it, once, within ${PANEL_KEY_MINUTES} minutes: ${address}`;
}

function addressOf({ port }: ControlAddress, key: string): string {
  return `http://127.0.0.1:${port}/${panelKeyFragment(key)}`;
}
