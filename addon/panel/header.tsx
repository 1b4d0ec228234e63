import type { VNode } from "preact";
import { DeviceName } from "./device-name.tsx";
import { closeDialog } from "./live-dialog.ts";
import { usePanel } from "./panel-context.ts";
import type { PanelView } from "./panel-store.ts";
import { formatConnection } from "./text/format-connection.ts";
import { formatDestination } from "./text/format-destination.ts";

/** The product's name, where imports go (rule N9), and the connection's state. */
export function Header({ view }: { readonly view: PanelView }): VNode {
  const { store } = usePanel();
  const { words, tone } = formatConnection(view.link, view.state?.connection ?? null);
  return (
    <header class="top">
      <h1>Soundferry</h1>
      {view.state !== null && <DeviceName name={view.state.deviceName} />}
      {view.state !== null && <p class="host">{formatDestination(view.state.host)}</p>}
      <p class={`connection ${tone}`}>{words}</p>
      {store.isDialog && (
        <button type="button" class="plain" onClick={() => closeDialog("")}>
          Close
        </button>
      )}
    </header>
  );
}
