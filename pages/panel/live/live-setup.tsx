import type { VNode } from "preact";
import type { PanelLive } from "../../../core/protocol/panel-api.ts";
import { t } from "../../kit/page-language.ts";
import { formatLiveName, isLiveReady, type LiveStep, liveStepsOf } from "../text/format-live.ts";
import { LiveCheck } from "./live-check.tsx";
import { CallButton } from "../call-button.tsx";
import { InstallDrawing, RestartDrawing, SettingsDrawing } from "./live-drawings.tsx";

/** The setup of Live's control surface (rule H20): its steps, or the check of Live once Live answers. */
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

const DRAWINGS = { install: InstallDrawing, restart: RestartDrawing, choose: SettingsDrawing };
const STATES = {
  done: "panel.live-done",
  open: "panel.live-open",
  wrong: "panel.live-open",
} as const;

/** The steps with their pictures, and a line that says whether Live answers. */
function LiveSteps({ live }: { readonly live: PanelLive }): VNode {
  return (
    <>
      <ol class="live-steps">
        {liveStepsOf(live).map((step) => (
          <Step key={step.id} step={step} />
        ))}
      </ol>
      <p class={isLiveReady(live) ? "live-ready" : "quiet"}>
        {isLiveReady(live)
          ? t("panel.live-answers", { live: formatLiveName(live) })
          : t("panel.live-waiting")}
      </p>
    </>
  );
}

function Step({ step }: { readonly step: LiveStep }): VNode {
  const { id, state, title, text, button } = step;
  const Drawing = DRAWINGS[id];
  return (
    <li class={state}>
      <Drawing />
      <div class="live-step">
        <p>
          <strong>{title}</strong> <span class="live-state">{t(STATES[state])}</span>
        </p>
        <p>{text}</p>
        {button !== undefined && (
          <CallButton
            call="installLiveScript"
            label={button}
            busyLabel={t("panel.live-installing")}
            isPrimary
          />
        )}
      </div>
    </li>
  );
}
