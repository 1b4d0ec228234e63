import type { PanelApp } from "../../core/protocol/panel-api.ts";

/** A paired app that was last seen some minutes ago. */
export function cannedApp(pairingId: string, name: string, minutesAgo: number): PanelApp {
  return {
    pairingId,
    name,
    browser: null,
    pairedAt: minutesAgoAt(900),
    lastSeenAt: minutesAgoAt(minutesAgo),
    isNew: false,
  };
}

/** A time before now, in ISO 8601. */
export function minutesAgoAt(minutes: number): string {
  return new Date(Date.now() - minutes * 60_000).toISOString();
}
