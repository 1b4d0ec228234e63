import type { VNode } from "preact";
import type { PanelApp } from "../../../core/protocol/panel-api.ts";
import { t } from "../../kit/text.tsx";
import { useNow } from "../use-now.ts";
import { formatMoment } from "../text/format-moment.ts";
import { UnpairButton } from "./unpair-button.tsx";

/** The paired apps; marks new ones. */
export function AppList({ apps }: { readonly apps: readonly PanelApp[] }): VNode {
  // Keeps “5 min ago” up to date.
  useNow(60_000);
  return (
    <section aria-labelledby="apps">
      <h3 id="apps" tabIndex={-1}>
        {t("panel.apps")}
      </h3>
      {apps.length === 0 && <p class="quiet">{t("panel.apps-none")}</p>}
      <ul class="apps">
        {apps.map((app) => (
          <li key={app.pairingId} data-then="apps">
            <div class="title">
              <bdi class="name">{app.name}</bdi>
              <span class="facts">
                {app.browser !== null && <span>{app.browser}</span>}
                {app.isNew && <strong>{t("panel.app-new")}</strong>}
                <span>
                  {t("panel.app-seen", { when: formatMoment(app.lastSeenAt, Date.now()) })}
                </span>
              </span>
            </div>
            <UnpairButton app={app} />
          </li>
        ))}
      </ul>
    </section>
  );
}
