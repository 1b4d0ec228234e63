import type { VNode } from "preact";
import type { PanelConnection } from "../../../core/protocol/panel-api.ts";
import { RelayForm } from "./relay-form.tsx";

/** Asks for a relay at first run (rule N4). */
export function FirstRun({ connection }: { readonly connection: PanelConnection }): VNode {
  return (
    <section class="card first-run" aria-labelledby="first-run" data-then="pairing">
      <h2 id="first-run">Which relay do your apps send to?</h2>
      <p class="quiet">
        The relay is the server your apps send to. It keeps your sounds until you import them. The
        person who runs it can tell you its address.
      </p>
      <RelayForm
        address={connection.suggestedRelayUrl}
        label="The relay’s address"
        button="Connect"
        isFirst
      />
    </section>
  );
}
