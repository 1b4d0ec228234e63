import { panelAppOf, panelPairingOf } from "../../../core/panel/panel-pairing.ts";
import { relayPackageOf, withDismissal } from "../../../core/panel/panel-package.ts";
import type { PanelFinishedRun, PanelRun, PanelState } from "../../../core/protocol/panel-api.ts";
import { receiveSentence } from "../../../core/protocol/receive-sentences.ts";
import { withoutPaths } from "../../../core/text/sentence-of.ts";
import { VERSION } from "../../../core/version.ts";
import { t } from "../../kit/page-language.ts";
import type { StoredSettings } from "./receive-database.ts";
import type { RelayKnown } from "./relay/relay-watch.ts";
import type { ReceivePlace } from "./receive-state.ts";

/** Everything that a browser's importer knows. */
export interface BrowserKnown {
  readonly relay: RelayKnown;
  readonly deviceName: string;
  readonly place: ReceivePlace | null;
  readonly settings: StoredSettings;
  readonly runs: readonly PanelRun[];
  readonly finished: readonly PanelFinishedRun[];
}

/**
 * Maps what a browser knows to the panel's state: what it can't do is absent (rule RC1).
 * @param now milliseconds since 1970; remaining times count from there
 */
export function panelStateOf(known: BrowserKnown, now: number): PanelState {
  const { relay, deviceName, place, settings, runs, finished } = known;
  const { apps, newPairingIds, pairing, packages, packagesReadAtMs, status, trouble } = relay;
  const ageSeconds = (now - packagesReadAtMs) / 1000;
  const facts = { turns: settings.turns.turns, saved: new Set<string>() };
  const dismissed = new Set(settings.dismissed);
  return {
    version: VERSION,
    host: {
      name: "browser",
      label: labelOf(place),
      trouble: null,
      instead: null,
      room: null,
      tempoBpm: null,
      settings: [],
      can: { reusesTracks: false, savesForDaw: false },
    },
    connection: {
      relayUrl: location.origin,
      suggestedRelayUrl: location.origin,
      fixedBecause: receiveSentence("RECEIVE_OWN_RELAY"),
      status,
      trouble: trouble === null ? null : withoutPaths(trouble),
      newBecause: null,
      movedFrom: null,
    },
    deviceName,
    pairing: panelPairingOf(pairing, now),
    apps: apps.map((app) => panelAppOf(app, newPairingIds)),
    packages: packages.map((one) => {
      return withDismissal(relayPackageOf(one, ageSeconds, facts), dismissed);
    }),
    isReading: relay.isReading,
    runs,
    finished,
    soundsFolder: { path: nameOf(place), isInLibrary: false, because: null, fixedBecause: null },
    keptFiles: null,
    canReveal: null,
    pretends: null,
    lan: null,
    live: null,
    diskTrouble: null,
  };
}

/** Names the place in a trail such as `Samples → Kitchen Kit`. */
function nameOf(place: ReceivePlace | null): string {
  if (place === null) return "";
  return place.kind === "zip" ? "ZIP" : place.name;
}

function labelOf(place: ReceivePlace | null): string {
  if (place === null) return "";
  if (place.kind === "zip") return t("receive.saves-zip");
  return t("receive.saves-into", { folder: place.name });
}
