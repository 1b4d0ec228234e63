import type { JournalStep } from "../../host.ts";
import type { LookMessage } from "./outcome-message.ts";

/** The label of the step that hands a layout to the control surface; other steps are another way's. */
const PLACE = "place the scene ";

export function placeLabel(sceneName: string): string {
  return `${PLACE}${sceneName}`;
}

/** Returns whether an id is a run's, or that of one of its repetitions (`again`). */
export function isOfRun(runId: string, id: string | null): id is string {
  return id !== null && (id === runId || id.startsWith(`${runId}.`));
}

/** Returns an id for placing beside what is there: the run's own, or `<run>.2` and so on. */
export function freeRunId(runId: string, taken: ReadonlySet<string>): string {
  if (!taken.has(runId)) return runId;
  let count = 2;
  while (taken.has(`${runId}.${count}`)) count += 1;
  return `${runId}.${count}`;
}

/** Ids of a run and its repetitions that the Set or the control surface knows, the latest first. */
export function knownRunIds(runId: string, look: LookMessage): readonly string[] {
  const { running, tracks, unfinished, outcome } = look;
  const ids = [
    running,
    outcome?.run ?? null,
    ...tracks.map(({ run }) => run),
    ...unfinished.keys(),
  ];
  const own = new Set(ids.filter((id) => isOfRun(runId, id)));
  return [...own].toSorted((one, other) => countOf(other) - countOf(one));
}

/** Returns whether the Set holds all that a run made: the outcome can be read from it. */
export function isWhole(id: string, { tracks, unfinished }: LookMessage): boolean {
  const own = tracks.filter(({ run }) => run === id);
  return own.length > 0 && own.every(({ done }) => done) && !unfinished.has(id);
}

/** Returns what the Set holds of one run as steps, for the question to the person (rule R4). */
export function stepsOfHeld(id: string, look: LookMessage): readonly JournalStep[] {
  const own = look.tracks.filter(({ run }) => run === id);
  const tracks = own.map(({ track, done, isReused }) =>
    made(isReused ? `make a clip on the track ${track}` : `make the track ${track}`, done),
  );
  const note = look.unfinished.get(id);
  if (note === undefined) return tracks;
  // Between the making and the naming or marking of a thing, only the counts tell.
  const hasMoreScenes = look.scenes.length > note.scenes;
  const isNamed = look.scenes.includes(note.scene);
  const added = own.filter(({ isReused }) => !isReused);
  const hasMoreTracks = look.tracks.length > note.tracks + added.length;
  return [
    ...(hasMoreScenes ? [made(`make the scene ${note.scene}`, isNamed)] : []),
    ...tracks,
    ...(hasMoreTracks ? [made("make one more track", false)] : []),
  ];
}

/** Returns the earlier steps that another way into Live took and that may have left something. */
export function stepsOfOthers(earlier: readonly JournalStep[]): readonly JournalStep[] {
  return earlier.filter(
    ({ label, state, leavesNothing }) =>
      !label.startsWith(PLACE) && state !== "failed" && leavesNothing !== true,
  );
}

/** Returns the run of each sound's latest track in the Set, by sound id, for a package. */
export function earlierTracks(packageId: string, look: LookMessage): ReadonlyMap<string, string> {
  const own = look.tracks.filter((track) => track.package === packageId);
  return new Map(
    own.flatMap(({ sound, run }) => (sound === null || run === null ? [] : [[sound, run]])),
  );
}

function made(label: string, isDone: boolean): JournalStep {
  return { label, state: isDone ? "done" : "begun" };
}

function countOf(id: string): number {
  return Number(/\.(\d+)$/.exec(id)?.[1] ?? 1);
}
