import type { PanelApp, PanelPairingRequest } from "../../core/protocol/panel-api.ts";

/** An app that asks to pair. */
export const CANNED_REQUEST: PanelPairingRequest = {
  requestId: "req_1",
  name: "Pocket Studio",
  network: "203.0.113.0/24",
};

/** A paired app that was last seen some minutes ago. */
export function cannedApp(pairingId: string, name: string, minutesAgo: number): PanelApp {
  return {
    pairingId,
    name,
    pairedAt: minutesAgoAt(900),
    lastSeenAt: minutesAgoAt(minutesAgo),
    waitingPackages: 0,
    isNew: false,
  };
}

/** A time before now, in ISO 8601. */
export function minutesAgoAt(minutes: number): string {
  return new Date(Date.now() - minutes * 60_000).toISOString();
}
