import { basename } from "node:path";
import { beatsPerBar } from "../../core/layout/layout.ts";
import { colorOfTurn, formatColor } from "../../core/layout/palette.ts";
import { trackJson } from "../../core/layout/layout-json.ts";
import { needsColorTurn } from "../../core/layout/plan-layout.ts";
import type { Manifest, Sound } from "../../core/manifest/manifest.ts";
import type { ImportedTrack } from "../../core/protocol/import-outcome.ts";
import {
  type ImportablePackage,
  type PairedApp,
  type PairingRequestView,
  THIS_COMPUTER,
} from "../../core/protocol/importer-api.ts";
import {
  isDismissal,
  type PackageStatus,
  statusOfResults,
} from "../../core/protocol/package-status.ts";
import type {
  PanelApp,
  PanelFinishedRun,
  PanelOutcome,
  PanelPackage,
  PanelPairing,
  PanelSound,
  PanelState,
  PanelUsablePackage,
  PanelPlan,
  PanelTrackPlan,
} from "../../core/protocol/panel-api.ts";
import { withoutPaths } from "../../core/text/sentence-of.ts";
import { VERSION } from "../../core/version.ts";
import { inboxIdOf } from "../packages/package-folders.ts";
import { onlySaved } from "../packages/saved-packages.ts";
import type { PackagePlan } from "../packages/package-plans.ts";
import type { TurnsByPackage } from "../state/color-turns.ts";
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
    pairing: pairingOf(state, now),
    apps: apps.map((app) => appOf(app, newPairingIds)),
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

interface KnownOfPackages {
  readonly turns: TurnsByPackage;
  /** Ids of the packages in the sounds folder. */
  readonly saved: ReadonlySet<string>;
}

function pairingOf({ pairing }: ImporterState, now: number): PanelPairing {
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

function pairingRequestOf({ request_id, app_name, network }: PairingRequestView) {
  const shown = network === THIS_COMPUTER ? null : network;
  return { requestId: request_id, name: app_name, network: shown };
}

function appOf(app: PairedApp, newPairingIds: ReadonlySet<string>): PanelApp {
  return {
    pairingId: app.pairing_id,
    name: app.app_name,
    pairedAt: app.paired_at,
    lastSeenAt: app.last_seen_at,
    waitingPackages: app.waiting_packages,
    isNew: newPairingIds.has(app.pairing_id),
  };
}

function relayPackageOf(
  waiting: ImportablePackage,
  ageSeconds: number,
  { turns, saved }: KnownOfPackages,
): PanelPackage {
  const { package_id, manifest, app_name, status, expires_in, taken, results } = waiting;
  // Nothing was imported, whatever its app has read.
  const isOnlyDismissed = isDismissal(results);
  return {
    packageId: package_id,
    title: manifest.title,
    appName: app_name,
    origin: "relay",
    isSaved: saved.has(package_id),
    status: isOnlyDismissed ? "waiting" : status,
    expiresInSeconds: secondsLeft(expires_in, ageSeconds),
    isTaken: taken,
    sounds: manifest.items.map(panelSoundOf),
    results: isOnlyDismissed ? null : (results ?? null),
    isDismissed: false,
    canUndoDismiss: false,
    color: turnColorOf(package_id, manifest, turns),
  };
}

function withDismissal(shown: PanelPackage, dismissed: ReadonlySet<string>): PanelPackage {
  if ("error" in shown || !dismissed.has(shown.packageId)) return shown;
  return { ...shown, isDismissed: true, canUndoDismiss: shown.expiresInSeconds !== 0 };
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

/** Returns the color of a package's sounds that name none (rule T4); null if there are no such sounds. */
function turnColorOf(
  packageId: string,
  manifest: Manifest,
  turns: TurnsByPackage,
): PanelUsablePackage["color"] {
  const turn = needsColorTurn(manifest) ? turns.get(packageId) : undefined;
  return turn === undefined ? null : formatColor(colorOfTurn(turn));
}

export function panelSoundOf({ id, name, kind, role, bytes }: Sound): PanelSound {
  return { id, name, kind, role: role ?? null, bytes: bytes ?? null };
}

function finishedRunOf({ result, ...run }: FinishedRun): PanelFinishedRun {
  if ("error" in result) {
    return { ...run, result: { ...result, error: withoutPaths(result.error) } };
  }
  const { status, folder, tracks } = result.outcome;
  const outcome = {
    status,
    folder: folder === null ? null : basename(folder),
    tracks: tracks.map(outcomeTrackOf),
  };
  return { ...run, result: { outcome } };
}

function outcomeTrackOf(imported: ImportedTrack): PanelOutcome["tracks"][number] {
  const { id, status, track, clip, notes, differences, error, earlier } = imported;
  const common = { id, status, track, clip, notes, differences, error };
  return earlier === undefined ? common : { ...common, earlier };
}

function sentenceOrNull(sentence: string | null): string | null {
  return sentence === null ? null : withoutPaths(sentence);
}

/** Returns the whole seconds left of a span that was read `ageSeconds` ago; at least 0. */
function secondsLeft(spanSeconds: number, ageSeconds: number): number {
  return Math.max(0, Math.floor(spanSeconds - ageSeconds));
}

/** Maps a plan to the panel's preview (rule N6). */
export function panelPlanOf({ layout, sounds }: PackagePlan): PanelPlan {
  const tracks = layout.tracks.map((track): PanelTrackPlan => {
    const header = sounds.get(track.soundId);
    const isRead = header !== undefined && !("error" in header);
    if ("error" in track) return { id: track.soundId, color: null, error: track.error };
    const json = trackJson(track);
    return {
      id: json.id,
      color: formatColor(track.colorIndex),
      warpMode: json.warp_mode,
      looping: json.looping,
      loopEndBeats: json.loop_beats,
      tempoBpm: json.tempo_bpm,
      gainDb: json.gain_db,
      notes: json.notes,
      durationSeconds: isRead ? header.frames / header.sampleRateHz : null,
    };
  });
  return {
    sceneName: layout.scene.name,
    tempoBpm: oneTempoOf(tracks),
    beatsPerBar: beatsPerBar(layout.session),
    tracks,
  };
}

/** Returns the common tempo of all loops, except those whose tempo the host detects; null if there is none. */
function oneTempoOf(tracks: readonly PanelTrackPlan[]): number | null {
  const tempi = new Set(tracks.map((track) => ("error" in track ? null : track.tempoBpm)));
  tempi.delete(null);
  const [tempo = null] = tempi;
  return tempi.size === 1 ? tempo : null;
}
