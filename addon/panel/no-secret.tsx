import type { VNode } from "preact";
import { inLiveMenu, LIVE_MENU } from "../../core/live-menu.ts";

/** Replaces the page when it has no valid secret (rule N1). */
export function NoSecret({ reason }: { readonly reason: "missing" | "outdated" }): VNode {
  return (
    <main class="calm">
      <h1>Soundferry</h1>
      <p>
        {reason === "missing"
          ? "This address is incomplete: the part after the # is missing."
          : "Soundferry was restarted. Open the new address."}
      </p>
      <p>
        <code>soundferry importer</code> and <code>soundferry up</code> print it in the terminal. In
        Live, right-click a scene and choose {inLiveMenu(LIVE_MENU.choose)}
      </p>
    </main>
  );
}
