import type { VNode } from "preact";
import { inLiveMenu, LIVE_MENU } from "../../core/live-menu.ts";
import { t, Text } from "../kit/text.tsx";

/** Replaces the page when it has no valid secret (rule N1). */
export function NoSecret({ reason }: { readonly reason: "missing" | "outdated" }): VNode {
  return (
    <main class="calm">
      <h1>Soundferry</h1>
      <p>{t(`panel.no-secret-${reason}`)}</p>
      <p>
        <Text
          of="panel.no-secret-where"
          params={{
            importer: <code>soundferry importer</code>,
            up: <code>soundferry up</code>,
            menu: inLiveMenu(LIVE_MENU.choose),
          }}
        />
      </p>
    </main>
  );
}
