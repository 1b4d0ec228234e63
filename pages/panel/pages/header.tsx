import type { VNode } from "preact";
import { t } from "../../kit/page-language.ts";
import type { DialogName } from "./dialogs.tsx";
import { closeDialog } from "../live-dialog.ts";
import { usePanel, type PanelView } from "../panel-store.ts";
import { formatConnection, formatDestination, hintOf, noticesOf } from "../text/format-status.ts";
import { isLiveReady } from "../text/format-live.ts";
import { formatTempo } from "../text/format-sound.ts";
import { LOAD_FROM_IMPORTER } from "../../../core/protocol/panel-api.ts";
import { StatusLine } from "../../kit/shell/shell.tsx";
import { usePicked } from "../../kit/use-view.ts";

interface HeaderProps {
  readonly view: PanelView;
  /** False while the pairing code fills the page. */
  readonly canPair: boolean;
  readonly onOpen: (dialog: DialogName) => void;
}

/** The product's name, the host of imports (rule N9), the connection's state, and the buttons that open dialogs. */
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

interface PanelStatusProps {
  readonly view: PanelView;
  readonly onOpen: (dialog: DialogName) => void;
}

/** The first problem that concerns the whole page, and a button that shows all of them. */
export function PanelStatus({ view, onOpen }: PanelStatusProps): VNode {
  const { store, player } = usePanel();
  const { link, state } = view;
  const notices = noticesOf(link, state, store.isDialog);
  const playing = usePicked(player, ({ sceneKey, notice }) => (sceneKey === null ? null : notice));
  const [first] = notices;
  const hint = playing ?? (state === null ? "" : hintOf(state));
  return (
    <StatusLine tone={first === undefined ? "quiet" : "bad"} text={first ?? hint}>
      {state !== null && state.connection.movedFrom !== null && (
        <button type="button" onClick={() => onOpen("moved")}>
          {t("panel.moved-answer")}
        </button>
      )}
      {notices.length > 0 && (
        <button type="button" class="plain" onClick={() => onOpen("notices")}>
          {notices.length === 1
            ? t("panel.notices-read")
            : t("panel.notices-all", { count: notices.length })}
        </button>
      )}
      {link === "lost" && location.protocol === "data:" && (
        // Some web views block a `data:` page's calls to this computer, but not a page from there.
        <button type="button" onClick={() => closeDialog(LOAD_FROM_IMPORTER)}>
          {t("panel.load-from-importer")}
        </button>
      )}
    </StatusLine>
  );
}
