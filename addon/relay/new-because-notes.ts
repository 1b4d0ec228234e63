import { PANEL } from "../../core/messages/en/panel.ts";
import type { NewIdentityReason } from "../state/identity-entries.ts";

/** Why no app is paired at a relay, in sentences (rule P9). */
export const NEW_BECAUSE_NOTES: Readonly<Record<NewIdentityReason, string>> = {
  forgotten: PANEL["panel.notice-pair-again"],
  "other-relay": PANEL["panel.notice-other-relay"],
  insecure: PANEL["panel.notice-insecure"],
};
