import type { PanelLive } from "../../core/protocol/panel-api.ts";

/** Live's control surface before anything was done. */
export const LIVE_UNSET: PanelLive = {
  script: "missing",
  answers: false,
  mustRestart: false,
  live: null,
  edition: null,
  libraryName: "User Library",
  canInstall: true,
  trouble: null,
};

export const LIVE_READY: PanelLive = {
  ...LIVE_UNSET,
  script: "current",
  answers: true,
  live: "12.1.5",
  edition: "Standard",
};
