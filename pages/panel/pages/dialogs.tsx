import type { VNode } from "preact";
import type { PanelState } from "../../../core/protocol/panel-api.ts";
import { Dialog } from "../../kit/shell/dialog.tsx";
import { t } from "../../kit/page-language.ts";
import { LiveSetup } from "../live/live-setup.tsx";
import { Pairing } from "../pairing/pairing.tsx";
import { usePanel, type PanelView } from "../panel-store.ts";
import { Settings } from "../settings/settings.tsx";
import { noticesOf } from "../text/format-status.ts";
import { Refused, useAction } from "../../kit/action.tsx";

export type DialogName = "pairing" | "settings" | "live" | "notices" | "moved";

/** The open dialog, and how a page opens one. */
export interface DialogOpening {
  /** The open dialog. */
  readonly opened: DialogName | null;
  readonly onOpen: (dialog: DialogName) => void;
}

interface DialogsProps {
  readonly name: DialogName;
  readonly view: PanelView;
  readonly state: PanelState;
  readonly onClose: () => void;
}

/** Shows the open dialog. */
export function Dialogs({ name, view, state, onClose }: DialogsProps): VNode | null {
  const { store, around } = usePanel();
  const { relayUrl, movedFrom } = state.connection;
  switch (name) {
    case "pairing":
      return (
        <Dialog title={t("panel.pair")} onClose={onClose}>
          <Pairing view={view} state={state} />
        </Dialog>
      );
    case "settings":
      return (
        <Dialog title={t("panel.settings")} onClose={onClose}>
          <Settings state={state}>{around?.settings}</Settings>
        </Dialog>
      );
    case "live":
      return (
        <Dialog title={t("panel.live-setup-title")} onClose={onClose}>
          {state.live !== null && <LiveSetup live={state.live} />}
        </Dialog>
      );
    case "moved":
      return relayUrl === null || movedFrom === null ? null : (
        <MovedRelay relayUrl={relayUrl} movedFrom={movedFrom} onClose={onClose} />
      );
    case "notices":
      return (
        <Dialog title={t("panel.notices")} onClose={onClose}>
          {noticesOf(view.link, view.state, store.isDialog).map((notice) => (
            <p key={notice} class="notice">
              {notice}
            </p>
          ))}
        </Dialog>
      );
  }
}

interface MovedRelayProps {
  readonly relayUrl: string;
  readonly movedFrom: string;
  readonly onClose: () => void;
}

/** Asks whether a relay at a new address is one that this computer knows (rule P9). */
function MovedRelay({ relayUrl, movedFrom, onClose }: MovedRelayProps): VNode {
  const { store } = usePanel();
  const { begin, isBusy, error } = useAction();
  const answer = (isSame: boolean) =>
    begin(() => store.calls.send("answerMoved", { isSame, movedFrom }), onClose);
  return (
    <Dialog
      title={t("panel.moved-title")}
      onClose={onClose}
      actions={
        <>
          <button type="button" aria-disabled={isBusy} onClick={() => answer(false)}>
            {t("panel.moved-no")}
          </button>
          <button type="button" aria-disabled={isBusy} onClick={() => answer(true)}>
            {t("panel.moved-yes")}
          </button>
        </>
      }
    >
      <div class="moved-relay">
        <p>{t("panel.moved-text", { relay: relayUrl, before: movedFrom })}</p>
        <p>{t("panel.moved-how")}</p>
        <Refused error={error} />
      </div>
    </Dialog>
  );
}
