import type { Messages } from "../en/english.ts";
import { CLIPS } from "./clips.ts";
import { COLORS } from "./colors.ts";
import { FORMATS } from "./formats.ts";
import { GUESSES } from "./guesses.ts";
import { PAGE } from "./page.ts";
import { PANEL } from "./panel.ts";
import { PLAYBACK } from "./playback.ts";
import { REFUSAL_TEXTS } from "./refusals.ts";
import { SEND } from "./send.ts";

/** Every text of the panel and the sending page, in Japanese. */
export const JAPANESE: Messages = {
  ...CLIPS,
  ...COLORS,
  ...FORMATS,
  ...GUESSES,
  ...PAGE,
  ...PANEL,
  ...PLAYBACK,
  ...REFUSAL_TEXTS,
  ...SEND,
};
