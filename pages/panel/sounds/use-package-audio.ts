import { useMemo } from "preact/hooks";
import type { PanelUsablePackage } from "../../../core/protocol/panel-api.ts";
import { usePanel } from "../panel-context.ts";
import { PackageAudio } from "./package-audio.ts";

/**
 * Plays and draws a package's sounds: one object for as long as the package is shown, so that the list keeps what it
 * draws and plays.
 * @param packageId of the package that is shown
 * @param usable null where it is gone
 */
export function usePackageAudio(
  packageId: string,
  usable: PanelUsablePackage | null,
): PackageAudio {
  const { player } = usePanel();
  return useMemo(() => new PackageAudio(player, usable), [player, packageId, usable === null]);
}
