import type { VNode } from "preact";
import type { PanelLive } from "../../../core/protocol/panel-api.ts";
import { t } from "../../kit/text.tsx";
import { formatLiveName, isLiveReady } from "../text/format-live.ts";
import { LiveCheck } from "./live-check.tsx";
import { LiveSteps } from "./live-steps.tsx";

/** The way to exact time in Live (rule H20): the steps, or once Live answers a line with the check of Live. */
export function LiveSetup({ live }: { readonly live: PanelLive }): VNode {
  if (isLiveReady(live)) {
    return (
      <section tabIndex={-1} aria-label={t("panel.live-setup-title")}>
        <details>
          <summary>
            <span class="live-ready">{t("panel.live-ready", { live: formatLiveName(live) })}</span>
          </summary>
          <LiveSteps live={live} />
        </details>
        <LiveCheck />
      </section>
    );
  }
  return (
    <section tabIndex={0} aria-label={t("panel.live-setup-title")}>
      <p class="quiet">{t("panel.live-why")}</p>
      <LiveSteps live={live} />
    </section>
  );
}
