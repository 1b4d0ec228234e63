import type { VNode } from "preact";
import type { PanelApp } from "../../../core/protocol/panel-api.ts";
import { useNow } from "../use-now.ts";
import { formatMoment } from "../text/format-moment.ts";
import { UnpairButton } from "./unpair-button.tsx";

/** The paired apps; marks new ones. */
export function AppList({ apps }: { readonly apps: readonly PanelApp[] }): VNode {
  // Keeps “5 min ago” up to date.
  useNow(60_000);
  return (
    <section aria-labelledby="apps">
      <h2 id="apps" tabIndex={-1}>
        Paired apps
      </h2>
      {apps.length === 0 && <p class="empty">No apps yet.</p>}
      <ul class="apps">
        {apps.map((app) => (
          <li key={app.pairingId} data-then="apps">
            <div class="title">
              <bdi class="name">{app.name}</bdi>
              <span class="facts">
                {app.isNew && <strong>New</strong>}
                <span>Last seen {formatMoment(app.lastSeenAt, Date.now())}</span>
              </span>
            </div>
            <UnpairButton app={app} />
          </li>
        ))}
      </ul>
    </section>
  );
}
