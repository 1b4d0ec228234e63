import type { Message } from "../message.ts";
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

/** Every text of the panel, the sending page and the element, in English. The other languages have the same keys. */
export const ENGLISH = {
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
} as const satisfies Readonly<Record<string, Message>>;

export type MessageKey = keyof typeof ENGLISH;

/** A table of another language. The placeholders of each text are tested, not typed. */
export type Messages = Readonly<Record<MessageKey, Message>>;
