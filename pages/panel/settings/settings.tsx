import type { VNode } from "preact";
import type { PanelConnection, PanelState } from "../../../core/protocol/panel-api.ts";
import { t } from "../../kit/text.tsx";
import { DeviceName } from "../device-name.tsx";
import { LiveSetup } from "../live/live-setup.tsx";
import { AppList } from "../pairing/app-list.tsx";
import { isLiveReady } from "../text/format-live.ts";
import { HostSetting } from "./host-setting.tsx";
import { KeptFiles } from "./kept-files.tsx";
import { RelayForm } from "./relay-form.tsx";

/** This computer, its apps, its relay, and what the host can be told. */
export function Settings({ state }: { readonly state: PanelState }): VNode {
  const { connection, host, keptFiles, version, deviceName, apps, live } = state;
  return (
    <div class="settings">
      <section aria-labelledby="computer">
        <h3 id="computer">{t("panel.computer")}</h3>
        <DeviceName name={deviceName} />
      </section>
      <AppList apps={apps} />
      <Relay connection={connection} />
      {host.settings.length > 0 && (
        <section aria-label={host.label}>
          <h3>{host.label}</h3>
          {host.settings.map((setting) => (
            <HostSetting key={setting.id} setting={setting} />
          ))}
        </section>
      )}
      {live !== null && isLiveReady(live) && <LiveSetup live={live} />}
      <KeptFiles keptFiles={keptFiles} />
      <p class="quiet version">{t("panel.version", { version })}</p>
    </div>
  );
}

function Relay({ connection }: { readonly connection: PanelConnection }): VNode {
  const { relayUrl, fixedBecause, suggestedRelayUrl } = connection;
  return (
    <section aria-labelledby="relay">
      <h3 id="relay">{t("panel.relay")}</h3>
      {fixedBecause === null ? (
        <RelayForm
          key={relayUrl}
          address={relayUrl ?? suggestedRelayUrl}
          button={relayUrl === null ? t("panel.relay-connect") : t("panel.relay-change")}
        />
      ) : (
        <>
          <p>{relayUrl}</p>
          <p class="quiet">{fixedBecause}</p>
        </>
      )}
    </section>
  );
}
