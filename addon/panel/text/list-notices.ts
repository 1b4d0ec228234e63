import type { PanelState } from "../../../core/protocol/panel-api.ts";
import { withoutTryAgain } from "../../../core/text/without-try-again.ts";
import type { Link } from "../../../web/link.ts";

/** Lists problems that concern the whole page in sentences, from the page's link to the disk. */
export function noticesOf(
  link: Link,
  state: PanelState | null,
  isDialog: boolean,
): readonly string[] {
  const notices: string[] = [];
  if (link === "lost") notices.push(formatLost(isDialog && state !== null));
  if (state === null) return notices;
  const { host, connection, diskTrouble } = state;
  if (host.trouble !== null) notices.push(host.trouble);
  if (connection.trouble !== null) {
    const isAway = connection.status === "offline";
    notices.push(
      isAway
        ? `${withoutTryAgain(connection.trouble)} Retrying automatically.`
        : connection.trouble,
    );
  }
  if (connection.mustPairAgain) {
    notices.push("The relay no longer knows this computer. Pair your apps again.");
  }
  if (diskTrouble !== null) notices.push(diskTrouble);
  return notices;
}

function formatLost(canImport: boolean): string {
  return canImport
    ? "Soundferry isn’t responding; this is its last known state. You can still import."
    : "Soundferry isn’t responding. It may have been stopped. Retrying automatically.";
}
