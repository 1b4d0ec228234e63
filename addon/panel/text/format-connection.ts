import type { PanelConnection } from "../../../core/protocol/panel-api.ts";
import type { Link } from "../../../web/link.ts";

/** The state of the way to the relay, in words and one word that a style can follow. */
export interface ConnectionWords {
  readonly words: string;
  readonly tone: "good" | "busy" | "bad";
}

/** Where the chain app → relay → importer → page is broken nearest to the page, or that it holds. */
export function formatConnection(link: Link, connection: PanelConnection | null): ConnectionWords {
  if (link === "lost") return { words: "No connection to Soundferry", tone: "bad" };
  if (link === "looking" || connection === null) {
    return { words: "Connecting to Soundferry", tone: "busy" };
  }
  const relay = formatRelay(connection.relayUrl ?? "");
  switch (connection.status) {
    case "unset":
      return { words: "No relay set", tone: "busy" };
    case "idle":
    case "connecting":
      return { words: `Connecting to ${relay}`, tone: "busy" };
    case "connected":
      return { words: `Connected to ${relay}`, tone: "good" };
    case "offline":
      return { words: `No connection to ${relay}`, tone: "bad" };
  }
}

/** A relay's address as one says it: without `https://`. */
function formatRelay(url: string): string {
  return url.replace(/^https:\/\//, "");
}
