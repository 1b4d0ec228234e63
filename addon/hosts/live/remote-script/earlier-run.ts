import type { JournalStep } from "../../host.ts";
import type { HeldPart, LookMessage } from "./outcome-message.ts";

/** The label of the step that hands a layout to the control surface; other steps are another way's. */
const PLACE = "place the scene ";

export function placeLabel(sceneName: string): string {
  return `${PLACE}${sceneName}`;
}

/** Returns whether an id is a run's, or that of one of its repetitions (`again`). */
export function isOfRun(runId: string, id: string): boolean {
  return id === runId || id.startsWith(`${runId}.`);
}

/** Returns the id for placing once more beside what is there: the run's own, or `<run>.2` and so on. */
export function freeRunId(runId: string, taken: ReadonlySet<string>): string {
  if (!taken.has(runId)) return runId;
  let count = 2;
  while (taken.has(`${runId}.${count}`)) count += 1;
  return `${runId}.${count}`;
}

/** Ids of a run and its repetitions that the Set knows, the latest first. */
export function knownRunIds(runId: string, { running, held }: LookMessage): readonly string[] {
  const ids = [...(running === null ? [] : [running]), ...held.map(({ run }) => run)];
  const own = new Set(ids.filter((id) => isOfRun(runId, id)));
  return [...own].toSorted((one, other) => countOf(other) - countOf(one));
}

/** Returns what the Set holds of a run as steps, for the question to the person (rule R4). */
export function stepsOfHeld(runId: string, held: readonly HeldPart[]): readonly JournalStep[] {
  return held
    .filter(({ run }) => isOfRun(runId, run))
    .map(({ sound, track, done }) => ({
      label: `make the ${sound === null ? "scene" : "track"} ${track}`,
      state: done ? "done" : "begun",
    }));
}

/** Returns the earlier steps that another way into Live took and that may have left something. */
export function stepsOfOthers(earlier: readonly JournalStep[]): readonly JournalStep[] {
  return earlier.filter(
    ({ label, state, leavesNothing }) =>
      !label.startsWith(PLACE) && state !== "failed" && leavesNothing !== true,
  );
}

function countOf(id: string): number {
  return Number(/\.(\d+)$/.exec(id)?.[1] ?? 1);
}
