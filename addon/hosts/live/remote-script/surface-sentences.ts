import type { Welcome } from "./control-surface-client.ts";
import type { SurfaceError } from "./control-surface-error.ts";
import { knownRunIds, stepsOfHeld } from "./earlier-run.ts";
import type { LookMessage } from "./outcome-message.ts";

/** Completes “Live couldn't place the scene …:”. */
export function refusalReason(error: SurfaceError, { edition }: Pick<Welcome, "edition">): string {
  const { code, message, limit, step } = error;
  const reason = message.trim().replace(/\.$/, "");
  if (code === "limit" && limit !== undefined) {
    return `Live ${edition} takes only ${limit.count} ${limit.what} in a Set`;
  }
  if (code === "busy") return "another import is running there";
  if (code === "path") return "a file is not in the folders that it may open";
  if (step !== undefined) return reason === "" ? `it didn't ${step}` : `${step}: ${reason}`;
  return reason;
}

/** Says what stays of a run that failed and couldn't be removed. */
export function leftSentence(
  sceneName: string,
  error: Pick<SurfaceError, "stays">,
  reason: string,
): string {
  const why = reason === "" ? "" : `: ${reason}`;
  return `Live couldn't place ${sceneName}${why}. Still in the Set: ${error.stays.join(", ")}.`;
}

/** Says what is known of a run whose Set or Live is gone. */
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
