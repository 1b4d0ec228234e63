import type { VNode } from "preact";
import type { PanelLive } from "../../../core/protocol/panel-api.ts";
import { Refused } from "../../../web/refused.tsx";
import { useAction } from "../../../web/use-action.ts";
import { usePanel } from "../panel-context.ts";
import { formatLiveName, isLiveReady, type LiveStep, liveStepsOf } from "../text/format-live.ts";
import { InstallDrawing, RestartDrawing, SettingsDrawing } from "./live-drawings.tsx";

const DRAWINGS = { install: InstallDrawing, restart: RestartDrawing, choose: SettingsDrawing };
const STATES = { done: "Done", open: "To do", wrong: "To do" };

/** The steps with their pictures, and whether Live answers. */
export function LiveSteps({ live }: { readonly live: PanelLive }): VNode {
  return (
    <>
      <ol class="live-steps">
        {liveStepsOf(live).map((step) => (
          <Step key={step.id} step={step} />
        ))}
      </ol>
      <p class={isLiveReady(live) ? "live-ready" : "quiet"}>
        {isLiveReady(live) ? `${formatLiveName(live)} answers.` : "Waiting for Live to answer…"}
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
          <strong>{title}</strong> <span class="live-state">{STATES[state]}</span>
        </p>
        <p>{text}</p>
        {button !== undefined && <InstallButton label={button} />}
      </div>
    </li>
  );
}

function InstallButton({ label }: { readonly label: string }): VNode {
  const { store } = usePanel();
  const { begin, isBusy, error } = useAction();
  return (
    <>
      <button
        type="button"
        class="primary"
        aria-disabled={isBusy}
        onClick={() => begin(() => store.calls.installLiveScript())}
      >
        {isBusy ? "Installing…" : label}
      </button>
      <Refused error={error} />
    </>
  );
}
