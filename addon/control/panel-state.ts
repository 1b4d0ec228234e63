import { basename } from "node:path";
import { panelAppOf, panelPairingOf } from "../../core/panel/panel-pairing.ts";
import {
  type KnownOfPackages,
  panelSoundOf,
  relayPackageOf,
  turnColorOf,
  withDismissal,
} from "../../core/panel/panel-package.ts";
import { panelOutcomeOf } from "../../core/panel/panel-plan.ts";
import { type PackageStatus, statusOfResults } from "../../core/protocol/package-status.ts";
import type {
  PanelFinishedRun,
  PanelPackage,
  PanelState,
  PanelUsablePackage,
} from "../../core/protocol/panel-api.ts";
import { withoutPaths } from "../../core/text/sentence-of.ts";
import { VERSION } from "../../core/version.ts";
import { inboxIdOf } from "../packages/package-folders.ts";
import { onlySaved } from "../packages/saved-packages.ts";
import type {
  FinishedRun,
  ImporterState,
  InboxPackage,
  UsableInboxPackage,
} from "../state/importer-state.ts";

/**
 * Maps an importer's state to the panel's (rule N2): no token, no relay path, and only names of local folders.
 * @param now milliseconds since 1970; remaining times count from there
 */
export function panelStateOf(state: ImporterState, now: number): PanelState {
  const { deviceName, apps, newPairingIds, packages, local, runs, finished, host } = state;
  const { connection, colorTurns, soundsFolder, keptFiles, canReveal, pretends, lan, live } = state;
  const known = {
    turns: colorTurns,
    saved: new Set(state.saved.map(({ package_id }) => package_id)),
  };
  const packagesAgeSeconds = (now - state.packagesReadAtMs) / 1000;
  return {
    version: VERSION,
    host: {
      ...host,
      label: withoutPaths(host.label),
      trouble: sentenceOrNull(host.trouble),
      instead: sentenceOrNull(host.instead),
    },
    connection: { ...connection, trouble: sentenceOrNull(connection.trouble) },
    deviceName,
    pairing: panelPairingOf(state.pairing, now),
    apps: apps.map((app) => panelAppOf(app, newPairingIds)),
    packages: [
      ...packages.map((waiting) => relayPackageOf(waiting, packagesAgeSeconds, known)),
      ...local.map((found) => inboxPackageOf(found, known)),
      ...onlySaved(state).map((found) => localPackageOf(found, "saved", known)),
    ].map((one) => withDismissal(one, state.dismissed)),
    isReading: state.unread.size > 0,
    runs,
    finished: finished.map(finishedRunOf),
    soundsFolder,
    keptFiles,
    canReveal,
    pretends,
    lan: lan && { ...lan, trouble: sentenceOrNull(lan.trouble) },
    live: live && { ...live, trouble: sentenceOrNull(live.trouble) },
    diskTrouble: sentenceOrNull(state.diskTrouble),
  };
}

function inboxPackageOf(local: InboxPackage, known: KnownOfPackages): PanelPackage {
  if ("error" in local) {
    const name = basename(local.folder);
    return { packageId: inboxIdOf(local), title: name, error: withoutPaths(local.error) };
  }
  return localPackageOf(local, "inbox", known);
}

function localPackageOf(
  local: UsableInboxPackage,
  origin: "inbox" | "saved",
  { turns, saved }: KnownOfPackages,
): PanelUsablePackage {
  const { package_id, manifest, imported, results } = local;
  return {
    packageId: package_id,
    title: manifest.title,
    appName: manifest.source.app,
    origin,
    isSaved: saved.has(package_id),
    status: localStatus(local),
    expiresInSeconds: null,
    isTaken: false,
    sounds: manifest.items.map(panelSoundOf),
    results: imported ? (results ?? null) : null,
    isDismissed: false,
    canUndoDismiss: false,
    color: turnColorOf(package_id, manifest, turns),
  };
}

/**
 * Returns a local package's status. Without results, which a damaged journal may have lost, an imported package
 * counts as whole.
 */
function localStatus({ manifest, imported, results }: UsableInboxPackage): PackageStatus {
  if (!imported) return "waiting";
  const soundIds = manifest.items.map(({ id }) => id);
  return results === undefined ? "imported" : statusOfResults(soundIds, results);
}

function finishedRunOf({ result, ...run }: FinishedRun): PanelFinishedRun {
  if ("error" in result) {
    return { ...run, result: { ...result, error: withoutPaths(result.error) } };
  }
  const { folder } = result.outcome;
  const outcome = panelOutcomeOf(result.outcome, folder === null ? null : basename(folder));
  return { ...run, result: { outcome } };
}

function sentenceOrNull(sentence: string | null): string | null {
  return sentence === null ? null : withoutPaths(sentence);
}
