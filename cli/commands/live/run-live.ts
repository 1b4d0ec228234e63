import type { Command } from "commander";
import type { LiveScript } from "../../../addon/live-setup/live-script.ts";
import { readSettings } from "../../../core/settings.ts";
import { type Output, outputFor } from "../../output.ts";
import { flagsGiven } from "../../setting-flags.ts";
import { formatInstalled, formatRemoved, formatStatus } from "./format-live.ts";
import { LIVE_SETTINGS } from "./live-settings.ts";
import { openLiveScript } from "./open-live-script.ts";
import { statusJson } from "./status-json.ts";

export async function runInstall(command: Command): Promise<void> {
  const { script, output } = open(command);
  const { path, version, was, kept } = await script.install();
  output.give({ script: path, version, was, kept }, formatInstalled({ path, version, was, kept }));
}

export async function runUninstall(command: Command): Promise<void> {
  const { script, output } = open(command);
  const removal = await script.uninstall();
  const { path, isRemoved, kept } = removal;
  output.give({ script: path, removed: isRemoved, kept }, formatRemoved(removal));
}

export async function runStatus(command: Command): Promise<void> {
  const { script, output } = open(command);
  const status = await script.status();
  output.give(statusJson(status), formatStatus(status));
}

function open(command: Command): { readonly script: LiveScript; readonly output: Output } {
  const given = flagsGiven(command, LIVE_SETTINGS);
  const settings = readSettings(LIVE_SETTINGS, [given, process.env]);
  return { script: openLiveScript(settings), output: outputFor(command.optsWithGlobals()) };
}
