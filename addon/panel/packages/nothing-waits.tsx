import type { VNode } from "preact";
import type { PanelState } from "../../../core/protocol/panel-api.ts";

/** What to do where no package waits: it depends on how far one has come. */
export function NothingWaits({ state }: { readonly state: PanelState }): VNode {
  const { apps, runs, connection } = state;
  if (runs.length > 0) return <p class="empty">Nothing else waits.</p>;
  if (connection.status === "unset") {
    return (
      <p class="empty">
        What your apps send will wait here. Folders that you put into the inbox need no relay.
      </p>
    );
  }
  if (apps.length > 0) {
    return <p class="empty">Nothing waits. What your apps send appears here by itself.</p>;
  }
  return (
    <ol class="empty">
      <li>Open an app that sends to Soundferry, and type the pairing code into it.</li>
      <li>Send sounds from there. They appear here by themselves.</li>
      <li>Click Import, and each sound is a track with a clip.</li>
    </ol>
  );
}
