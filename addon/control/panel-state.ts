import { basename } from "node:path";
import type { Sound } from "../../core/manifest/manifest.ts";
import type { ImportedTrack } from "../../core/protocol/import-outcome.ts";
import type { ImportablePackage } from "../../core/protocol/importer-api.ts";
import type {
  PanelApp,
  PanelConnection,
  PanelFinishedRun,
  PanelOutcome,
  PanelPackage,
  PanelPairing,
  PanelSound,
  PanelState,
} from "../../core/protocol/panel-api.ts";
import { VERSION } from "../../core/version.ts";
import type {
  Connection,
  FinishedRun,
  ImporterState,
  InboxPackage,
} from "../state/importer-state.ts";
import { withoutPaths } from "../../core/text/without-paths.ts";

/**
 * Maps an importer's state to the panel's (rule N2): no token, no relay path, and only names of local folders.
 * @param now milliseconds since 1970; remaining times count from there
 */
export function panelStateOf(state: ImporterState, now: number): PanelState {
  const { deviceName, apps, newPairingIds, packages, local, runs, finished } = state;
  const { name, label, trouble, tempoBpm, settings } = state.host;
  const packagesAgeSeconds = (now - state.packagesReadAtMs) / 1000;
  return {
    version: VERSION,
    host: {
      name,
      label: withoutPaths(label),
      trouble: sentenceOrNull(trouble),
      tempoBpm,
      settings,
    },
    connection: connectionOf(state.connection),
    deviceName,
    pairing: pairingOf(state, now),
    apps: apps.map((app): PanelApp => ({
      pairingId: app.pairing_id,
      name: app.app_name,
      pairedAt: app.paired_at,
      lastSeenAt: app.last_seen_at,
      isNew: newPairingIds.has(app.pairing_id),
    })),
    packages: [
      ...packages.map((waiting) => relayPackageOf(waiting, packagesAgeSeconds)),
      ...local.map(inboxPackageOf),
    ],
    runs,
    finished: finished.map(finishedRunOf),
    keptFiles: state.keptFiles,
    live: state.live && { ...state.live, trouble: sentenceOrNull(state.live.trouble) },
    diskTrouble: sentenceOrNull(state.diskTrouble),
  };
}

function connectionOf(connection: Connection): PanelConnection {
  const { relayUrl, suggestedRelayUrl, fixedBecause, status, trouble, mustPairAgain } = connection;
  return {
    relayUrl,
    suggestedRelayUrl,
    fixedBecause,
    status,
    trouble: sentenceOrNull(trouble),
    mustPairAgain,
  };
}

function pairingOf({ pairing }: ImporterState, now: number): PanelPairing {
  const { code, readAtMs, usedBy } = pairing;
  const expiresInSeconds =
    code === null ? 0 : secondsLeft(code.expires_in, (now - readAtMs) / 1000);
  return code === null || expiresInSeconds === 0
    ? { code: null, expiresInSeconds: null, usedBy }
    : { code: code.code, expiresInSeconds, usedBy };
}

function relayPackageOf(waiting: ImportablePackage, ageSeconds: number): PanelPackage {
  const { package_id, manifest, app_name, status, expires_in, taken, results } = waiting;
  return {
    packageId: package_id,
    title: manifest.title,
    appName: app_name,
    origin: "relay",
    status,
    expiresInSeconds: secondsLeft(expires_in, ageSeconds),
    isTaken: taken,
    sounds: manifest.items.map(panelSoundOf),
    results: results ?? null,
  };
}

function inboxPackageOf(local: InboxPackage): PanelPackage {
  if ("error" in local) {
    const name = basename(local.folder);
    return { packageId: `inbox/${name}`, title: name, error: withoutPaths(local.error) };
  }
  const { package_id, manifest, imported } = local;
  return {
    packageId: package_id,
    title: manifest.title,
    appName: manifest.source.app,
    origin: "inbox",
    status: imported ? "imported" : "waiting",
    expiresInSeconds: null,
    isTaken: false,
    sounds: manifest.items.map(panelSoundOf),
    results: null,
  };
}

export function panelSoundOf({ id, name, kind, role, bytes }: Sound): PanelSound {
  return { id, name, kind, role: role ?? null, bytes: bytes ?? null };
}

function finishedRunOf(run: FinishedRun): PanelFinishedRun {
  const { packageId, otherHost, title, at, result } = run;
  const common = { packageId, title, at, ...(otherHost !== undefined && { otherHost }) };
  if ("error" in result) {
    return { ...common, result: { ...result, error: withoutPaths(result.error) } };
  }
  const { status, folder, tracks } = result.outcome;
  const outcome = {
    status,
    folder: folder === null ? null : basename(folder),
    tracks: tracks.map(outcomeTrackOf),
  };
  return { ...common, result: { outcome } };
}

function outcomeTrackOf(imported: ImportedTrack): PanelOutcome["tracks"][number] {
  const { id, status, track, clip, notes, differences, error } = imported;
  return { id, status, track, clip, notes, differences, error };
}

function sentenceOrNull(sentence: string | null): string | null {
  return sentence === null ? null : withoutPaths(sentence);
}

/** Returns the whole seconds left of a span that was read `ageSeconds` ago; at least 0. */
function secondsLeft(spanSeconds: number, ageSeconds: number): number {
  return Math.max(0, Math.floor(spanSeconds - ageSeconds));
}
