import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { Header } from "./header.tsx";
import { LiveSetup } from "./live/live-setup.tsx";
import { LiveRegion } from "../../web/live-region.tsx";
import { useView } from "../../web/use-view.ts";
import { closeDialog } from "./live-dialog.ts";
import { NoSecret } from "./no-secret.tsx";
import { Notices } from "./notices.tsx";
import { ImportsColumn } from "./packages/imports-column.tsx";
import { PairingColumn } from "./pairing/pairing-column.tsx";
import { type Panel, PanelContext } from "./panel-context.ts";
import { Settings } from "./settings/settings.tsx";
import { FirstRun } from "./settings/first-run.tsx";

export function App({ panel }: { readonly panel: Panel }): VNode {
  const { store } = panel;
  const view = useView(store);
  useEffect(() => {
    if (store.isDialog) addEventListener("keydown", closeOnEscape);
    return () => removeEventListener("keydown", closeOnEscape);
  }, [store]);
  if (view.link === "refused" && !store.isDialog) return <NoSecret reason="outdated" />;
  const { state } = view;
  return (
    <PanelContext.Provider value={panel}>
      <Header view={view} />
      <Notices view={view} />
      <main class="columns">
        {state === null ? (
          <p class="quiet">Connecting to Soundferry…</p>
        ) : (
          <>
            <div class="column">
              {state.connection.status === "unset" && <FirstRun connection={state.connection} />}
              {state.live !== null && <LiveSetup live={state.live} />}
              <ImportsColumn state={state} readAtMs={view.readAtMs} />
            </div>
            <div class="column">
              <PairingColumn view={view} state={state} />
              <Settings state={state} />
            </div>
          </>
        )}
      </main>
      <LiveRegion text={view.announcement} number={view.announcements} />
    </PanelContext.Provider>
  );
}

/** Ignores an Escape that an inner element has handled. */
function closeOnEscape(event: KeyboardEvent): void {
  if (event.key === "Escape" && !event.defaultPrevented) closeDialog("");
}
