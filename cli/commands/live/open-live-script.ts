import { homedir } from "node:os";
import { lookAtControlSurface } from "../../../addon/hosts/live/remote-script/find-control-surface.ts";
import { LiveScript } from "../../../addon/live-setup/live-script.ts";
import type { ImporterSettings } from "../../../addon/settings.ts";

/** The control surface's script of this computer's Live. */
export function openLiveScript({
  dataFolder,
  liveLibrary,
}: Pick<ImporterSettings, "dataFolder" | "liveLibrary">): LiveScript {
  return new LiveScript({
    machine: { platform: process.platform, home: homedir(), environment: process.env },
    givenLibrary: liveLibrary,
    dataFolder,
    lookAtControlSurface,
  });
}
