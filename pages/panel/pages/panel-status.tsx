import type { VNode } from "preact";
import { LOAD_FROM_IMPORTER } from "../../../core/protocol/panel-api.ts";
import { StatusLine } from "../../kit/shell/status-line.tsx";
import { usePicked } from "../../kit/use-picked.ts";
import { t } from "../../kit/text.tsx";
import type { DialogName } from "../dialogs/dialogs.tsx";
import { closeDialog } from "../live-dialog.ts";
import { usePanel } from "../panel-context.ts";
import type { PanelView } from "../panel-store.ts";
import { noticesOf } from "../text/list-notices.ts";

interface PanelStatusProps {
  readonly view: PanelView;
  readonly onOpen: (dialog: DialogName) => void;
}

/** The first problem that concerns the whole page, and a way to all of them. */
export function PanelStatus({ view, onOpen }: PanelStatusProps): VNode {
  const { store, player } = usePanel();
  const { link, state } = view;
  const notices = noticesOf(link, state, store.isDialog);
  const playing = usePicked(player, ({ sceneKey, notice }) => (sceneKey === null ? null : notice));
  const [first] = notices;
  return (
    <StatusLine tone={first === undefined ? "quiet" : "bad"} text={first ?? playing ?? ""}>
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
