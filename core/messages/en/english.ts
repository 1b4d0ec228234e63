import type { Message } from "../message.ts";
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

/** Every text of the panel, the sending page and the element, in English. The other languages have the same keys. */
export const ENGLISH = {
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
} as const satisfies Readonly<Record<string, Message>>;

export type MessageKey = keyof typeof ENGLISH;

/** A table of another language. The placeholders of each text are tested, not typed. */
export type Messages = Readonly<Record<MessageKey, Message>>;
