import type { Sound } from "../../core/manifest/manifest.ts";
import type { SoundResult } from "../../core/protocol/package-status.ts";
import { runSentence } from "../../core/protocol/run-sentences.ts";
import { refusal } from "../../core/protocol/refusal.ts";
import type { UnfinishedRun } from "./journal-lines.ts";
import { RunRefusal } from "../../core/importer/import-errors.ts";

/** The sounds that a run is about (rule R10). */
export interface RunChoice {
  /** Ids in the package's order; undefined for all. */
  readonly soundIds: readonly string[] | undefined;
  /** Chosen sounds for a run after this one, which completes an interrupted run first. */
  readonly later: readonly string[];
}

export interface RunChoiceRequest {
  /** Every sound of the package, in its order. */
  readonly all: readonly string[];
  /** Ids that the person chose; undefined where they named nothing. */
  readonly asked: readonly string[] | undefined;
  readonly again: boolean;
  /** The unfinished run at the host, if any. */
  readonly unfinished: UnfinishedRun | undefined;
  /** True if the host completes what that run left in the session. */
  readonly isCompleted: boolean;
  /** The newest results of earlier runs at the host. */
  readonly earlier: ReadonlyMap<string, SoundResult>;
}

/**
 * Decides which sounds a run is about. An interrupted run that the host completes keeps its sounds. Else the
 * person's choice counts, also the one of an interrupted run; without any, sounds that an earlier run placed are left
 * out as long as others were never asked for, or found no room.
 */
export function chooseForRun(request: RunChoiceRequest): RunChoice {
  const { all, asked, again, unfinished, isCompleted, earlier } = request;
  const known = unfinished?.soundIds?.filter((id) => all.includes(id)) ?? [];
  const begun = known.length === 0 ? undefined : known;
  if (unfinished !== undefined && isCompleted && !again) {
    const later = begun === undefined ? [] : (asked ?? []).filter((id) => !begun.includes(id));
    return { soundIds: begun, later };
  }
  const chosen = asked ?? begun;
  if (chosen !== undefined || again) return { soundIds: chosen, later: [] };
  const isPlaced = (id: string) => earlier.get(id)?.status === "imported";
  const isLeftOut = (id: string) => !earlier.has(id) || hadNoRoom(earlier.get(id));
  const isHalfDone = all.some(isPlaced) && all.some(isLeftOut);
  return { soundIds: isHalfDone ? all.filter((id) => !isPlaced(id)) : undefined, later: [] };
}

/** Checks whether a host had no room for a sound (rule R17): it was skipped although its file can be used. */
function hadNoRoom(result: SoundResult | undefined): boolean {
  return result?.status === "skipped" && result.file !== undefined;
}

type NamedSound = Pick<Sound, "id" | "name">;

/**
 * Finds the sounds that a person chose (rule R10).
 * @param wanted ids or names; an id wins over another sound's name
 * @returns their ids, each once, in the package's order
 * @throws {RunRefusal} when it names nothing, an unknown sound, or one of several with the same name
 */
export function chooseSounds(
  sounds: readonly NamedSound[],
  wanted: readonly string[],
): readonly string[] {
  if (wanted.length === 0) throw new RunRefusal("SOUNDS_WRONG", runSentence("NONE_CHOSEN"));
  const chosen = new Set(wanted.map((text) => findSound(sounds, text)));
  return sounds.map(({ id }) => id).filter((id) => chosen.has(id));
}

function findSound(sounds: readonly NamedSound[], wanted: string): string {
  if (sounds.some(({ id }) => id === wanted)) return wanted;
  const named = sounds.filter(({ name }) => name === wanted);
  const [first, ...others] = named;
  if (first === undefined) {
    throw new RunRefusal("SOUNDS_WRONG", refusal("SOUND_UNKNOWN", { id: wanted }).message);
  }
  if (others.length === 0) return first.id;
  const ids = named.map(({ id }) => id).join(", ");
  throw new RunRefusal("SOUNDS_WRONG", runSentence("NAMED_TWICE", { name: wanted, ids }));
}
