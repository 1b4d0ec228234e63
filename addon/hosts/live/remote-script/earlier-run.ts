import type { JournalStep } from "../../host.ts";
import type { LookMessage } from "./outcome-message.ts";

/** The start of the label of the step that hands a layout to the control surface. */
const PLACE = "place the scene ";

export function placeLabel(sceneName: string): string {
  return `${PLACE}${sceneName}`;
}

/** Checks whether an id is a run's, or that of one of its repetitions (`again`). */
export function isOfRun(runId: string, id: string | null): id is string {
  return id !== null && (id === runId || id.startsWith(`${runId}.`));
}

/** Returns an id that isn't taken yet: the run's own, or `<run>.2` and so on. */
export function freeRunId(runId: string, taken: ReadonlySet<string>): string {
  if (!taken.has(runId)) return runId;
  let count = 2;
  while (taken.has(`${runId}.${count}`)) count += 1;
  return `${runId}.${count}`;
}

/** Returns the ids of a run and its repetitions that the Set or the control surface knows, the latest first. */
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

/** Checks whether the Set holds everything that a run made, so that the outcome can be read from it. */
export function isWhole(id: string, { tracks, unfinished }: LookMessage): boolean {
  const own = tracks.filter(({ run }) => run === id);
  return own.length > 0 && own.every(({ done }) => done) && !unfinished.has(id);
}

/** Describes the parts of a run that the Set holds as steps, for the question to the person (rule R4). */
export function stepsOfHeld(id: string, look: LookMessage): readonly JournalStep[] {
  const own = look.tracks.filter(({ run }) => run === id);
  const tracks = own.map(({ track, done, isReused }) =>
    made(isReused ? `make a clip on the track ${track}` : `make the track ${track}`, done),
  );
  const note = look.unfinished.get(id);
  if (note === undefined) return tracks;
  // A thing that was made, but not named or marked yet, shows in the counts only.
  const hasMoreScenes = look.scenes.length > note.scenes;
  const isNamed = look.scenes.includes(note.scene);
  const added = own.filter(({ isReused }) => !isReused);
  const hasMoreTracks = look.tracks.length > note.tracks + added.length;
  return [
    ...(hasMoreScenes ? [made(`make the scene ${note.scene}`, isNamed)] : []),
    ...(note.isSceneTaken ? [made(`take an empty scene for ${note.scene}`, isNamed)] : []),
    ...tracks,
    ...(hasMoreTracks ? [made("make one more track", false)] : []),
  ];
}

/** Returns a sentence on what is known of a run whose Set was closed, or whose Live stopped. */
export function unknownSentence(
  sceneName: string,
  runId: string,
  look: LookMessage | undefined,
): string {
  if (look === undefined) {
    return (
      `Live stopped answering while it placed ${sceneName}. ` +
      "Import again once Live answers: it then says what its Set holds."
    );
  }
  const steps = knownRunIds(runId, look).flatMap((id) => stepsOfHeld(id, look));
  const held = steps.map(({ label }) => label.replace(/^make the /, ""));
  const holds = held.length === 0 ? "nothing of it" : held.join(", ");
  return (
    `The Set was closed while Live placed ${sceneName}. ` +
    `The Set that is open now holds ${holds}.`
  );
}

/** Returns the earlier steps of another way into Live that may have left something. */
export function stepsOfOthers(earlier: readonly JournalStep[]): readonly JournalStep[] {
  return earlier.filter(
    ({ label, state, leavesNothing }) =>
      !label.startsWith(PLACE) && state !== "failed" && leavesNothing !== true,
  );
}

/** Returns the run of each sound's latest track in the Set, by sound id. */
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
