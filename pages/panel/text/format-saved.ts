import { formatOutcome } from "../../../core/text/format-outcome.ts";
import type { PanelState } from "../../../core/protocol/panel-api.ts";
import type { SoundResult } from "../../../core/protocol/package-status.ts";
import { t } from "../../kit/page-language.ts";

type Result = Pick<SoundResult, "status">;

/**
 * Formats where a saved package lies: `Saved. In Live’s browser: User Library → Samples → Soundferry → Kitchen Kit.`
 * @param folder name of the package's folder
 */
export function formatSavedPlace(
  results: readonly Result[],
  folder: string,
  { soundsFolder, live }: Pick<PanelState, "soundsFolder" | "live">,
): string {
  const isWhole = results.every(({ status }) => status === "imported");
  const words = isWhole ? t("panel.saved") : formatOutcome(t, results, true).words;
  const trail = [...trailOf(soundsFolder, live), folder].filter((part) => part !== "").join(" → ");
  return soundsFolder.isInLibrary
    ? t("panel.saved-in-library", { words, trail })
    : t("panel.saved-in-folder", { words, trail });
}

/** Formats the way to the sounds folder in Live's browser: `User Library → Samples → Soundferry`. */
export function formatLibraryTrail(state: Pick<PanelState, "soundsFolder" | "live">): string {
  return trailOf(state.soundsFolder, state.live).join(" → ");
}

function trailOf(
  { path, isInLibrary }: PanelState["soundsFolder"],
  live: PanelState["live"],
): readonly string[] {
  if (!isInLibrary) return [path];
  // Live's browser calls the library so, whatever its folder is called.
  const parts = path.split(/[\\/]/);
  const library = parts.lastIndexOf(live?.libraryName ?? "User Library");
  const inLibrary =
    library === -1 ? parts.slice(parts.lastIndexOf("Samples")) : parts.slice(library + 1);
  return ["User Library", ...inLibrary];
}
