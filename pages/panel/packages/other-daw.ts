import type { ImportRequest, PanelState } from "../../../core/protocol/panel-api.ts";
import { formatInto } from "../../../core/text/format-host.ts";
import { formatOutcome } from "../../../core/text/format-outcome.ts";
import { t } from "../../kit/page-language.ts";
import type { PackageChoice, ChosenSounds } from "./package-choice.ts";
import type { PickRow } from "./pick-row.ts";
import { formatRunError } from "../text/format-run.ts";

// “Save for another DAW”: an import into one DAWproject file with the audio inside (rule N22).

const HOST = "dawproject";

/**
 * Builds the request for the whole package, or for the ticked sounds if a person changed the ticks. The file holds
 * only this import's sounds, so it takes them all again.
 */
export function dawRequestOf(
  { packageId }: PickRow,
  choice: PackageChoice,
  { all, ticked }: ChosenSounds,
): ImportRequest {
  if (choice.ticks.size > 0 && ticked.size === 0) throw new Error(t("run.NONE_CHOSEN"));
  return {
    packageId,
    host: HOST,
    again: true,
    ...(choice.ticks.size > 0 && { soundIds: all.filter((id) => ticked.has(id)) }),
  };
}

/** Checks whether a file for another DAW is being written. */
export function isSavingForDaw({ packageId }: PickRow, { runs }: PanelState): boolean {
  return runs.some((run) => run.packageId === packageId && run.otherHost === HOST);
}

/** Formats the state of a package's file for another DAW; empty if none was asked for. */
export function formatDaw(row: PickRow, state: PanelState): string {
  if (row.otherHost !== undefined) return "";
  if (isSavingForDaw(row, state)) return t("panel.daw-saving");
  const last = state.finished.find(
    ({ packageId, otherHost }) => packageId === row.packageId && otherHost === HOST,
  );
  if (last === undefined) return "";
  if ("error" in last.result) return formatRunError(last.result);
  const { tracks, folder } = last.result.outcome;
  const isWhole = tracks.every(({ status }) => status === "imported");
  const saved = isWhole
    ? t("panel.daw-saved", { file: `${folder ?? row.title}.dawproject` })
    : `${formatInto(t, formatOutcome(t, tracks).words, HOST)}.`;
  const count = tracks.filter(({ differences }) => differences.length > 0).length;
  return count === 0 ? saved : `${saved} ${t("panel.daw-differs", { count })}`;
}
