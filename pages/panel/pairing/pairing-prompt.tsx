import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { PanelPairingRequest } from "../../../core/protocol/panel-api.ts";
import { Refused, useAction } from "../../kit/action.tsx";
import { Dialog } from "../../kit/shell/dialog.tsx";
import { t } from "../../kit/page-language.ts";
import { usePanel } from "../panel-store.ts";

/** Time for which clicks are ignored, because they were meant for what the prompt covers. */
const EARLY_MS = 600;

/** Asks whether an app that has claimed the code may pair (rule P12). The importer removes the prompt. */
export function PairingPrompt({ request }: { readonly request: PanelPairingRequest }): VNode {
  const { store } = usePanel();
  const { begin, isBusy, error } = useAction();
  const [shownAtMs] = useState(() => performance.now());
  const send = (answer: "allow" | "deny"): void => {
    if (performance.now() - shownAtMs < EARLY_MS) return;
    begin(() => store.calls.send("answerPairing", { request_id: request.requestId, answer }));
  };
  return (
    <Dialog
      title={t("panel.asks-title", { app: request.name })}
      actions={
        <>
          <button type="button" aria-disabled={isBusy} onClick={() => send("deny")}>
            {t("panel.asks-no")}
          </button>
          <button type="button" aria-disabled={isBusy} onClick={() => send("allow")}>
            {t("panel.asks-yes")}
          </button>
        </>
      }
    >
      <div class="pairing-prompt">
        <p class="quiet">
          {request.network === null
            ? t("panel.asks-here")
            : t("panel.asks-network", { network: request.network })}
        </p>
        <p>
          <strong>{t("panel.asks-only-if")}</strong>
        </p>
        <Refused error={error} />
      </div>
    </Dialog>
  );
}
