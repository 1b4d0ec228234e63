import type { PanelConnection, PanelHost, PanelState } from "../../../core/protocol/panel-api.ts";
import type { Link } from "../../kit/secret-calls.ts";
import { t } from "../../kit/page-language.ts";
import { ownWords } from "./own-words.ts";
import { formatHost } from "../../../core/text/format-host.ts";
import { isLiveReady } from "./format-live.ts";
import { withoutTryAgain } from "../../../core/text/sentence-of.ts";

/** A connection's state as text, and as a class for its style. */
interface ConnectionWords {
  readonly words: string;
  readonly tone: "good" | "busy" | "bad";
}

/** Describes the first break from the page to the relay, or that the connection is fine. */
export function formatConnection(link: Link, connection: PanelConnection | null): ConnectionWords {
  if (link === "lost") return { words: t("panel.link-lost"), tone: "bad" };
  if (link === "looking" || connection === null) {
    return { words: t("panel.link-looking"), tone: "busy" };
  }
  const relay = formatRelay(connection.relayUrl ?? "");
  switch (connection.status) {
    case "unset":
      return { words: t("panel.relay-unset"), tone: "busy" };
    case "idle":
    case "connecting":
      return { words: t("panel.relay-connecting", { relay }), tone: "busy" };
    case "connected":
      return { words: t("panel.relay-connected", { relay }), tone: "good" };
    case "offline":
      return { words: t("panel.relay-offline", { relay }), tone: "bad" };
  }
}

function formatRelay(url: string): string {
  return url.replace(/^https:\/\//, "");
}

/** Formats where imports go now (rule N9), such as `Imports into Live 12.1.5 Standard`. */
export function formatDestination({ name, label, trouble }: PanelHost): string {
  if (name === "browser") return label;
  if (trouble === null && name === "folder") return t("panel.saves-files");
  return trouble === null
    ? t("panel.imports-into", { host: label })
    : t("panel.waits-for", { host: formatHost(t, name) });
}

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
  const { host, connection, diskTrouble, pretends, live } = state;
  // The question comes first, because the button that answers it stands beside the first notice.
  if (connection.movedFrom !== null) {
    notices.unshift(t("panel.moved-notice", { relay: connection.relayUrl ?? "" }));
  }
  if (host.trouble !== null && live?.script !== "missing") notices.push(host.trouble);
  if (connection.movedFrom === null && connection.trouble !== null) {
    const isAway = connection.status === "offline";
    const trouble = ownWords(withoutTryAgain(connection.trouble));
    notices.push(isAway ? t("panel.notice-retrying", { trouble }) : ownWords(connection.trouble));
  }
  if (connection.newBecause === "forgotten") notices.push(t("panel.notice-pair-again"));
  if (connection.newBecause === "other-relay") notices.push(t("panel.notice-other-relay"));
  if (connection.newBecause === "insecure") notices.push(t("panel.notice-insecure"));
  if (diskTrouble !== null) notices.push(diskTrouble);
  if (pretends !== null) notices.push(t("panel.notice-pretends", { outcome: pretends }));
  return notices;
}

/** Says quietly why imports don't go into Live: it isn't set up, or doesn't answer; empty while they do (rule N22). */
export function hintOf({ host, live }: PanelState): string {
  const isUnset = live !== null && !isLiveReady(live) && live.script !== "current";
  if (isUnset && (host.instead ?? host.trouble) !== null) return t("panel.live-not-connected");
  return host.instead ?? "";
}
