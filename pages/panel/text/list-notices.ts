import type { PanelState } from "../../../core/protocol/panel-api.ts";
import { withoutTryAgain } from "../../../core/text/sentence-of.ts";
import type { Link } from "../../kit/link.ts";
import { t } from "../../kit/page-language.ts";

/** Lists problems that concern the whole page in sentences, from the page's link to the disk. */
export function noticesOf(
  link: Link,
  state: PanelState | null,
  isDialog: boolean,
): readonly string[] {
  const notices: string[] = [];
  if (link === "lost") {
    notices.push(
      isDialog && state !== null ? t("panel.notice-lost-dialog") : t("panel.notice-lost"),
    );
  }
  if (state === null) return notices;
  const { host, connection, diskTrouble, pretends } = state;
  // The question comes first: the button that answers it stands beside the first one.
  if (connection.movedFrom !== null) {
    notices.unshift(t("panel.moved-notice", { relay: connection.relayUrl ?? "" }));
  }
  if (host.trouble !== null) notices.push(host.trouble);
  if (connection.movedFrom === null && connection.trouble !== null) {
    const isAway = connection.status === "offline";
    const trouble = withoutTryAgain(connection.trouble);
    notices.push(isAway ? t("panel.notice-retrying", { trouble }) : connection.trouble);
  }
  if (connection.newBecause === "forgotten") notices.push(t("panel.notice-pair-again"));
  if (connection.newBecause === "other-relay") notices.push(t("panel.notice-other-relay"));
  if (connection.newBecause === "insecure") notices.push(t("panel.notice-insecure"));
  if (diskTrouble !== null) notices.push(diskTrouble);
  if (pretends !== null) notices.push(t("panel.notice-pretends", { outcome: pretends }));
  return notices;
}
