import type { VNode } from "preact";
import { t } from "../../kit/text.tsx";
import type { DialogName } from "../dialogs/dialogs.tsx";
import { closeDialog } from "../live-dialog.ts";
import { usePanel } from "../panel-context.ts";
import type { PanelView } from "../panel-store.ts";
import { formatConnection } from "../text/format-connection.ts";
import { formatDestination } from "../text/format-destination.ts";
import { isLiveReady } from "../text/format-live.ts";
import { formatTempo } from "../text/format-sound.ts";

interface HeaderProps {
  readonly view: PanelView;
  /** False while the pairing code fills the page. */
  readonly canPair: boolean;
  readonly onOpen: (dialog: DialogName) => void;
}

/** The product's name, where imports go (rule N9), the connection's state, and what opens in a dialog. */
export function Header({ view, canPair, onOpen }: HeaderProps): VNode {
  const { store } = usePanel();
  const { state, link } = view;
  const { words, tone } = formatConnection(link, state?.connection ?? null);
  const live = state?.live ?? null;
  const pairWords = state?.apps.length === 0 ? t("panel.pair") : t("panel.pair-another");
  const hasRelay = state !== null && state.connection.relayUrl !== null;
  return (
    <>
      <h1>Soundferry</h1>
      <p class="host">
        {state !== null && <span title={state.host.label}>{formatDestination(state.host)}</span>}
        {state !== null && state.host.trouble === null && state.host.tempoBpm !== null && (
          <span class="host-tempo">{formatTempo(state.host.tempoBpm)}</span>
        )}
      </p>
      <p class={`connection ${tone}`} title={words}>
        <span>{words}</span>
      </p>
      <div class="header-buttons">
        {live !== null && !isLiveReady(live) && (
          <button type="button" onClick={() => onOpen("live")}>
            {t("panel.live-setup")}
          </button>
        )}
        {hasRelay && canPair && (
          <button type="button" onClick={() => onOpen("pairing")}>
            <span aria-hidden="true">+</span> <span class="pair-words">{pairWords}</span>
          </button>
        )}
        {state !== null && (
          <button type="button" onClick={() => onOpen("settings")}>
            {t("panel.settings")}
          </button>
        )}
        {store.isDialog && (
          <button type="button" onClick={() => closeDialog("")}>
            {t("panel.close")}
          </button>
        )}
      </div>
    </>
  );
}
