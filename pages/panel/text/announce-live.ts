import type { PanelState } from "../../../core/protocol/panel-api.ts";
import { t } from "../../kit/page-language.ts";
import { formatLiveName, isLiveReady } from "./format-live.ts";

/** Announces that Live's control surface begins to answer, or stops. */
export function announceLive(before: PanelState, after: PanelState): readonly string[] {
  const [was, is] = [before.live, after.live].map((live) => live !== null && isLiveReady(live));
  if (was === is || before.live === null || after.live === null) return [];
  return [
    is ? t("panel.live-answers", { live: formatLiveName(after.live) }) : t("panel.live-silent"),
  ];
}
