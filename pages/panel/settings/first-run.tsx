import type { VNode } from "preact";
import type { PanelConnection } from "../../../core/protocol/panel-api.ts";
import { t } from "../../kit/text.tsx";
import { RelayForm } from "./relay-form.tsx";

/** Asks for a relay at first run (rule N4). */
export function FirstRun({ connection }: { readonly connection: PanelConnection }): VNode {
  return (
    <section class="first-run" aria-labelledby="first-run" data-then="pairing">
      <h2 id="first-run">{t("panel.relay-question")}</h2>
      <p class="quiet">{t("panel.relay-what")}</p>
      <RelayForm address={connection.suggestedRelayUrl} button={t("panel.relay-connect")} isFirst />
    </section>
  );
}
