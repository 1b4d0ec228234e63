import type { VNode } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { t } from "../kit/page-language.ts";
import { LiveRegion, Text } from "../kit/text.tsx";
import { useView } from "../kit/use-view.ts";
import { type DialogName, Dialogs } from "./pages/dialogs.tsx";
import { useFirstStep, FirstStepPage } from "./pages/first-step-page.tsx";
import { formatPageTitle } from "./text/format-page-title.ts";
import { closeDialog } from "./live-dialog.ts";
import { type Panel, PanelContext } from "./panel-store.ts";
import { PackagesPage } from "./pages/packages-page.tsx";
import { PairingPrompt } from "./pairing/pairing-prompt.tsx";
import { inLiveMenu, LIVE_MENU } from "../../core/live-menu.ts";

export function App({ panel }: { readonly panel: Panel }): VNode {
  const { store } = panel;
  const view = useView(store);
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const step = useFirstStep(view.state);
  const close = useCallback(() => setDialog(null), []);
  useEffect(() => {
    if (store.isDialog) addEventListener("keydown", closeOnEscape);
    return () => removeEventListener("keydown", closeOnEscape);
  }, [store]);
  // The style looks different in Live's dialog (rule X9).
  useLayoutEffect(() => {
    document.documentElement.toggleAttribute("data-in-live", store.isDialog);
  }, [store]);
  const title = useMemo(() => formatPageTitle(view.state), [view.state]);
  useEffect(() => {
    document.title = title;
  }, [title]);
  if (view.link === "refused" && !store.isDialog) return <NoSecret reason="outdated" />;
  const { state } = view;
  const request = state?.pairing.request;
  const opening = { opened: dialog, onOpen: setDialog };
  return (
    <PanelContext.Provider value={panel}>
      {state !== null && step.name !== null ? (
        <FirstStepPage step={step} view={view} state={state} {...opening} />
      ) : (
        <PackagesPage view={view} {...opening} />
      )}
      {state !== null && dialog !== null && (
        <Dialogs name={dialog} view={view} state={state} onClose={close} />
      )}
      {state !== null && request !== undefined && (
        <PairingPrompt key={request.requestId} request={request} lan={state.lan} />
      )}
      <LiveRegion text={view.announcement} number={view.announcements} />
    </PanelContext.Provider>
  );
}

/** Ignores an Escape that an inner element has handled. */
function closeOnEscape(event: KeyboardEvent): void {
  if (event.key === "Escape" && !event.defaultPrevented) closeDialog("");
}

/** Replaces the page when it has no valid secret (rule N1). */
export function NoSecret({ reason }: { readonly reason: "missing" | "outdated" | "used" }): VNode {
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
