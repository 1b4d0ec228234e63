import type { VNode } from "preact";
import type { PanelConnection, PanelState } from "../../../core/protocol/panel-api.ts";
import { HostSetting } from "./host-setting.tsx";
import { KeptFiles } from "./kept-files.tsx";
import { RelayForm } from "./relay-form.tsx";

export function Settings({ state }: { readonly state: PanelState }): VNode {
  const { connection, host, keptFiles, version } = state;
  return (
    <section aria-labelledby="settings" data-then="settings">
      <h2 id="settings" tabIndex={-1}>
        Settings
      </h2>
      {connection.relayUrl !== null && <Relay connection={connection} />}
      {host.settings.map((setting) => (
        <HostSetting key={setting.id} setting={setting} />
      ))}
      <KeptFiles keptFiles={keptFiles} />
      <p class="quiet version">Soundferry {version}</p>
    </section>
  );
}

function Relay({ connection }: { readonly connection: PanelConnection }): VNode {
  const { relayUrl, fixedBecause } = connection;
  return (
    <details>
      <summary>Relay</summary>
      {fixedBecause === null ? (
        <RelayForm
          key={relayUrl}
          address={relayUrl ?? ""}
          label="Address of the relay"
          button="Change"
        />
      ) : (
        <>
          <p>{relayUrl}</p>
          <p class="quiet">{fixedBecause}</p>
        </>
      )}
    </details>
  );
}
