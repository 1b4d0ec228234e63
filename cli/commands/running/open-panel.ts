import { findDataFolder } from "../../../addon/settings.ts";
import type { SettingsSource } from "../../../core/settings.ts";
import { checkLock } from "../../doctor/check-lock.ts";
import type { Output } from "../../output.ts";
import { openBrowser, openerOf, type Opening } from "./open-browser.ts";

/** Opens the panel in the browser where somebody sees it; if that fails, prints its address. */
export async function openPanel(panelUrl: string, output: Output): Promise<Opening | undefined> {
  const opener = openerOf(process.platform, process.env);
  if (opener === undefined) return undefined;
  return openBrowser(panelUrl, opener, () =>
    output.say(`The browser couldn't be opened. Open this address in it: ${panelUrl}`),
  );
}

/** Opens the panel of the importer that runs on the data folder; returns false if none does. */
export async function openRunningPanel(flags: SettingsSource, output: Output): Promise<boolean> {
  const dataFolder = findDataFolder({ flags, environment: process.env });
  const { running } = await checkLock(dataFolder);
  if (running === undefined) return false;
  const { pid, port, secret } = running;
  const panelUrl = `http://127.0.0.1:${port}/#${secret}`;
  output.give(
    { panel_url: panelUrl, panel_port: port },
    `Soundferry is already running (process ${pid}). Its panel: ${panelUrl}`,
  );
  using opening = await openPanel(panelUrl, output);
  await opening?.done;
  return true;
}
