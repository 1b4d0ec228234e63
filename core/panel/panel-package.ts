import type { TurnsByPackage } from "../layout/color-turns.ts";
import { colorOfTurn, formatColor } from "../layout/palette.ts";
import { needsColorTurn } from "../layout/plan-layout.ts";
import type { Manifest, Sound } from "../manifest/manifest.ts";
import type { ImportablePackage } from "../protocol/importer-api.ts";
import { isDismissal } from "../protocol/package-status.ts";
import type { PanelPackage, PanelSound, PanelUsablePackage } from "../protocol/panel-api.ts";
import { secondsLeft } from "../time.ts";

/** Facts about packages beside what their lists have. */
export interface KnownOfPackages {
  readonly turns: TurnsByPackage;
  /** Ids of the packages that were saved here with their files. */
  readonly saved: ReadonlySet<string>;
}

/**
 * Maps a relay's package to the panel's.
 * @param ageSeconds the time since the relay listed it
 */
export function relayPackageOf(
  waiting: ImportablePackage,
  ageSeconds: number,
  { turns, saved }: KnownOfPackages,
): PanelUsablePackage {
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

/** Marks a package that a person dismissed (rule R12). */
export function withDismissal(shown: PanelPackage, dismissed: ReadonlySet<string>): PanelPackage {
  if ("error" in shown || !dismissed.has(shown.packageId)) return shown;
  return { ...shown, isDismissed: true, canUndoDismiss: shown.expiresInSeconds !== 0 };
}

export function panelSoundOf({ id, name, kind, role, bytes }: Sound): PanelSound {
  return { id, name, kind, role: role ?? null, bytes: bytes ?? null };
}

/** Returns the color of a package's sounds that name none (rule T4); null if there are no such sounds. */
export function turnColorOf(
  packageId: string,
  manifest: Manifest,
  turns: TurnsByPackage,
): PanelUsablePackage["color"] {
  const turn = needsColorTurn(manifest) ? turns.get(packageId) : undefined;
  return turn === undefined ? null : formatColor(colorOfTurn(turn));
}
