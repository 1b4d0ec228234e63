import type { VNode } from "preact";
import { Refused } from "../../kit/refused.tsx";
import { Dialog } from "../../kit/shell/dialog.tsx";
import { t } from "../../kit/text.tsx";
import { useAction } from "../../kit/use-action.ts";
import { usePanel } from "../panel-context.ts";

interface MovedRelayProps {
  readonly relayUrl: string;
  readonly movedFrom: string;
  readonly onClose: () => void;
}

/** Asks whether a relay at a new address is one that this computer knows (rule P9). */
export function MovedRelay({ relayUrl, movedFrom, onClose }: MovedRelayProps): VNode {
  const { store } = usePanel();
  const { begin, isBusy, error } = useAction();
  const answer = (isSame: boolean) =>
    begin(() => store.calls.answerMoved(isSame, movedFrom), onClose);
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
