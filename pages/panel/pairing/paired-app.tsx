import type { VNode } from "preact";
import type { PanelApp } from "../../../core/protocol/panel-api.ts";
import { t, Text } from "../../kit/text.tsx";
import { UnpairButton } from "./unpair-button.tsx";

interface PairedAppProps {
  readonly app: PanelApp;
  readonly canAsk: boolean;
  readonly onNewCode: () => void;
}

/** The app that used the code, and the browser and device that it runs in, as far as they are known. */
export function PairedApp({ app, canAsk, onNewCode }: PairedAppProps): VNode {
  return (
    <div class="pairing" role="status" data-then="pairing">
      <p class="paired">
        <Text of="panel.paired-with" params={{ app: <bdi>{app.name}</bdi> }} />
      </p>
      {app.browser !== null && <p>{app.browser}</p>}
      <p>{t("panel.paired-next")}</p>
      <div class="buttons">
        {canAsk && (
          <button type="button" onClick={onNewCode}>
            {t("panel.pair-another")}
          </button>
        )}
      </div>
      <div class="paired-not-you">
        <span class="quiet">{t("panel.paired-not-you")}</span>
        <UnpairButton app={{ ...app, isNew: true }} />
      </div>
    </div>
  );
}
