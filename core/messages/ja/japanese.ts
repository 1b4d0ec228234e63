import type { Messages } from "../en/english.ts";
import { CLIPS } from "./clips.ts";
import { FORMATS } from "./formats.ts";
import { LIVE_SET_FILE } from "./live-set.ts";
import { LAN_TEXTS } from "./lan.ts";
import { PAGE } from "./page.ts";
import { PAGE_PHONE } from "./page-phone.ts";
import { PANEL } from "./panel.ts";
import { PANEL_LAN } from "./panel-lan.ts";
import { PANEL_SETUP } from "./panel-setup.ts";
import { REFUSAL_TEXTS } from "./refusals.ts";
import { RUN_PARTS } from "./run-parts.ts";
import { RUN_TEXTS } from "./run.ts";

/** Every text of the panel and the sending page, in Japanese. */
export const JAPANESE: Messages = {
  ...CLIPS,
  ...FORMATS,
  ...LIVE_SET_FILE,
  ...LAN_TEXTS,
  ...PAGE,
  ...PAGE_PHONE,
  ...PANEL,
  ...PANEL_LAN,
  ...PANEL_SETUP,
  ...REFUSAL_TEXTS,
  ...RUN_TEXTS,
  ...RUN_PARTS,
};
