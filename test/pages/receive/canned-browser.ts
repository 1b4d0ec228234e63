import type { PanelState } from "../../../core/protocol/panel-api.ts";
import { FRESH, PAIRED } from "../../../scripts/pictures/canned-states.ts";

/** The parts of a state in which an importer in a browser differs. */
const IN_BROWSER = {
  host: {
    ...FRESH.host,
    name: "browser",
    label: "Saves as ZIP",
    tempoBpm: null,
    settings: [],
    can: { reusesTracks: false, savesForDaw: false },
  },
  connection: {
    ...FRESH.connection,
    fixedBecause: "This page receives from the relay that serves it.",
  },
  deviceName: "Chrome on Linux",
  soundsFolder: { path: "", isInLibrary: false, because: null, fixedBecause: null },
  keptFiles: null,
} as const satisfies Partial<PanelState>;

/** A browser that receives, and has a code, but no app and no package yet. */
export const FRESH_BROWSER: PanelState = { ...FRESH, ...IN_BROWSER };

/** A browser that receives, with paired apps. */
export const PAIRED_BROWSER: PanelState = { ...PAIRED, ...IN_BROWSER };
