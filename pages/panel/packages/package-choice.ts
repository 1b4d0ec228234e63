import type { ImportRequest, PanelPlan } from "../../../core/protocol/panel-api.ts";
import {
  failureOf,
  isSavedRow,
  type PickRow,
  rowStatusOf,
  usableOf,
  soundResultsOf,
} from "./pick-row.ts";

/** A person's choices for a package before Import. */
export interface PackageChoice {
  /** The ticks that a person has changed, by sound id. */
  readonly ticks: ReadonlyMap<string, boolean>;
  readonly setsTempo: boolean;
}

export const NO_CHOICE: PackageChoice = { ticks: new Map(), setsTempo: false };

/** The sounds of a package, those that can't be imported, and those that will be. */
export interface ChosenSounds {
  readonly all: readonly string[];
  /** Sounds that can't be imported, whose ticks can't be changed. */
  readonly fixed: ReadonlySet<string>;
  readonly ticked: ReadonlySet<string>;
}

/**
 * Returns the ticks of a row: the person's, else the sounds that its last import left out, else all. All sounds that
 * were only saved are left to place.
 */
export function chosenSoundsOf(
  row: PickRow,
  choice: PackageChoice,
  plan: PanelPlan | null,
): ChosenSounds {
  const all = (usableOf(row)?.sounds ?? []).map(({ id }) => id);
  const fixed = new Set(
    (plan?.tracks ?? []).flatMap((track) => ("error" in track ? [track.id] : [])),
  );
  const usable = all.filter((id) => !fixed.has(id));
  const wanted = defaultTicks(row, usable);
  const isTicked = (id: string): boolean => choice.ticks.get(id) ?? wanted.has(id);
  return { all, fixed, ticked: new Set(usable.filter(isTicked)) };
}

function defaultTicks(row: PickRow, usable: readonly string[]): ReadonlySet<string> {
  const { past } = row;
  if (past?.soundIds !== undefined && failureOf(row) !== null) return new Set(past.soundIds);
  if (isSavedRow(row)) return new Set(usable);
  const imported = new Set(
    soundResultsOf(row).flatMap(({ id, status }) => (status === "imported" ? [id] : [])),
  );
  const left = usable.filter((id) => !imported.has(id));
  return new Set(left.length === 0 ? usable : left);
}

/** Checks whether a sound that could be imported is not ticked. */
export function leavesOut({ all, fixed, ticked }: ChosenSounds): boolean {
  return all.some((id) => !fixed.has(id) && !ticked.has(id));
}

/**
 * Builds the request for the ticked sounds. It names them only if some are left out or the package was imported in
 * part; otherwise unusable sounds are reported with their own reason.
 * @param tempoBpm the tempo to set with the import, if the person wants it
 */
export function importRequestOf(
  row: PickRow,
  sounds: ChosenSounds,
  tempoBpm: number | null,
): ImportRequest {
  const code = failureOf(row)?.code ?? null;
  const isPartly = rowStatusOf(row) === "done" && usableOf(row)?.status === "partial";
  const names = leavesOut(sounds) || isPartly;
  return {
    packageId: row.packageId,
    ...(names && { soundIds: sounds.all.filter((id) => sounds.ticked.has(id)) }),
    ...(code === "ALREADY_PLACED" && { again: true }),
    ...(code === "RUN_ELSEWHERE" && { takeOver: true }),
    ...(tempoBpm !== null && { sessionTempoBpm: tempoBpm }),
  };
}
