import type { PanelConnection } from "../../../core/protocol/panel-api.ts";
import type { Link } from "../../../web/link.ts";

/** A connection's state as text, and as a class for its style. */
export interface ConnectionWords {
  readonly words: string;
  readonly tone: "good" | "busy" | "bad";
}

/** Describes the first break from the page to the relay, or that the connection is fine. */
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

function formatRelay(url: string): string {
  return url.replace(/^https:\/\//, "");
}
