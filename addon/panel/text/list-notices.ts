import type { PanelState } from "../../../core/protocol/panel-api.ts";
import { withoutTryAgain } from "../../../core/text/without-try-again.ts";
import type { Link } from "../../../web/link.ts";
import { t } from "../../../web/page-language.ts";

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
  const { host, connection, diskTrouble } = state;
  if (host.trouble !== null) notices.push(host.trouble);
  if (connection.trouble !== null) {
    const isAway = connection.status === "offline";
    const trouble = withoutTryAgain(connection.trouble);
    notices.push(isAway ? t("panel.notice-retrying", { trouble }) : connection.trouble);
  }
  if (connection.mustPairAgain) notices.push(t("panel.notice-pair-again"));
  if (diskTrouble !== null) notices.push(diskTrouble);
  return notices;
}
