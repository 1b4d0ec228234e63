import type { VNode } from "preact";
import type { PanelState } from "../../../core/protocol/panel-api.ts";

/** The next step where no package is waiting. */
export function NothingWaits({ state }: { readonly state: PanelState }): VNode {
  const { apps, runs, connection } = state;
  if (runs.length > 0) return <p class="empty">No other packages.</p>;
  if (connection.status === "unset") {
    return (
      <p class="empty">
        Packages from your apps will appear here. Folders in the inbox don’t need a relay.
      </p>
    );
  }
  if (apps.length > 0) {
    return <p class="empty">No packages yet. They’ll appear here automatically.</p>;
  }
  return (
    <ol class="empty">
      <li>Open an app that sends to Soundferry and enter the pairing code.</li>
      <li>Send sounds from there. They’ll appear here automatically.</li>
      <li>Click Import. Each sound becomes a track with a clip.</li>
    </ol>
  );
}
