import type { PanelConnection } from "../../../core/protocol/panel-api.ts";
import type { Link } from "../../kit/link.ts";
import { t } from "../../kit/page-language.ts";

/** A connection's state as text, and as a class for its style. */
export interface ConnectionWords {
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
