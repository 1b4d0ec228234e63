import {
  type PairedApp,
  type PairingCodeAnswer,
  type PairingRequestView,
  THIS_COMPUTER,
} from "../protocol/importer-api.ts";
import type { PanelApp, PanelPairing } from "../protocol/panel-api.ts";
import { secondsLeft } from "../time.ts";

/** An importer's pairing, as it knows it from its relay. */
export interface Pairing {
  /** The current code. */
  readonly code: PairingCodeAnswer | null;
  /** Time at which the code was created, in milliseconds since 1970: its `expires_in` counts from then. */
  readonly readAtMs: number;
  /** The app that used the last code, while it is paired. */
  readonly usedBy: { readonly name: string; readonly pairingId: string } | null;
  /** The app that has claimed the code and waits for approval (rule P12). */
  readonly request?: PairingRequestView | null;
  /** Reason why the last code ended early: a second address claimed it, or somebody denied the request. */
  readonly ended?: "second-address" | "denied" | null;
}

/**
 * Maps a pairing to the panel's.
 * @param now milliseconds since 1970; remaining times count from there
 */
export function panelPairingOf(pairing: Pairing, now: number): PanelPairing {
  const { code, readAtMs, usedBy, request, ended } = pairing;
  const asked = {
    usedBy,
    ...(request && { request: pairingRequestOf(request) }),
    ...(ended && { ended }),
  };
  const expiresInSeconds =
    code === null ? 0 : secondsLeft(code.expires_in, (now - readAtMs) / 1000);
  return code === null || expiresInSeconds === 0
    ? { code: null, expiresInSeconds: null, ...asked }
    : { code: code.code, expiresInSeconds, ...asked };
}

/** Maps an app to the panel's. @param newPairingIds the apps that paired while this importer ran */
export function panelAppOf(app: PairedApp, newPairingIds: ReadonlySet<string>): PanelApp {
  return {
    pairingId: app.pairing_id,
    name: app.app_name,
    pairedAt: app.paired_at,
    lastSeenAt: app.last_seen_at,
    waitingPackages: app.waiting_packages,
    isNew: newPairingIds.has(app.pairing_id),
  };
}

function pairingRequestOf({ request_id, app_name, network }: PairingRequestView) {
  const shown = network === THIS_COMPUTER ? null : network;
  return { requestId: request_id, name: app_name, network: shown };
}
