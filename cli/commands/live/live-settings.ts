import { importerSettings } from "../../../addon/settings.ts";

const { dataFolder, liveLibrary } = importerSettings();

/** The settings of `soundferry live`, two of the importer's. */
export const LIVE_SETTINGS = { dataFolder, liveLibrary };
