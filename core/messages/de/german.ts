import type { Messages } from "../en/english.ts";
import { CLIPS } from "./clips.ts";
import { FORMATS } from "./formats.ts";
import { LIVE_SET_FILE } from "./live-set.ts";
import { PAGE } from "./page.ts";
import { PANEL } from "./panel.ts";
import { PANEL_SETUP } from "./panel-setup.ts";
import { RECEIVE } from "./receive.ts";
import { REFUSAL_TEXTS } from "./refusals.ts";
import { RUN_PARTS } from "./run-parts.ts";
import { RUN_RECEIVE } from "./run-receive.ts";
import { RUN_TEXTS } from "./run.ts";

/** Every text of the panel and the sending page, in German. */
export const GERMAN: Messages = {
  ...CLIPS,
  ...FORMATS,
  ...LIVE_SET_FILE,
  ...PAGE,
  ...PANEL,
  ...PANEL_SETUP,
  ...RECEIVE,
  ...REFUSAL_TEXTS,
  ...RUN_TEXTS,
  ...RUN_PARTS,
  ...RUN_RECEIVE,
};
