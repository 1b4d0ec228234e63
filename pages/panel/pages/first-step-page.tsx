import type { VNode } from "preact";
import type { PanelState } from "../../../core/protocol/panel-api.ts";
import { Shell } from "../../kit/shell/shell.tsx";
import { t } from "../../kit/text.tsx";
import type { DialogName } from "../dialogs/dialogs.tsx";
import type { FirstStep } from "../first-step.ts";
import { Pairing } from "../pairing/pairing.tsx";
import type { PanelView } from "../panel-store.ts";
import { FirstRun } from "../settings/first-run.tsx";
import { Header } from "./header.tsx";
import { PanelStatus } from "./panel-status.tsx";

interface FirstStepPageProps {
  readonly step: FirstStep;
  readonly view: PanelView;
  readonly state: PanelState;
  readonly onOpen: (dialog: DialogName) => void;
}

/** The relay's address or the pairing code, over the whole page, until a person goes on (rule N14). */
export function FirstStepPage({ step, view, state, onOpen }: FirstStepPageProps): VNode {
  const isRelay = step.name === "relay";
  return (
    <Shell
      header={<Header view={view} canPair={isRelay} onOpen={onOpen} />}
      status={<PanelStatus view={view} onOpen={onOpen} />}
      main={{
        label: isRelay ? t("panel.relay") : t("panel.pair"),
        content: (
          <div class="first-step">
            {isRelay ? (
              <FirstRun connection={state.connection} />
            ) : (
              <section aria-labelledby="pairing">
                <h2 id="pairing" tabIndex={-1}>
                  {t("panel.pair")}
                </h2>
                <Pairing view={view} state={state} />
              </section>
            )}
          </div>
        ),
      }}
      footer={
        <button
          type="button"
          class={state.packages.length > 0 ? "primary first-step-end" : "first-step-end"}
          onClick={step.end}
        >
          {endWords(step, state)}
        </button>
      }
      screen="main"
      onBack={() => undefined}
    />
  );
}

function endWords({ name }: FirstStep, { packages, apps }: PanelState): string {
  if (packages.length > 0) return t("panel.pair-show", { count: packages.length });
  if (name === "relay") return t("panel.relay-later");
  return apps.length > 0 ? t("panel.pair-done") : t("panel.pair-later");
}
