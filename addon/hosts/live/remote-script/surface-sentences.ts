import { countOf } from "../../../../core/text/count-of.ts";
import type { Welcome } from "./control-surface-client.ts";
import type { SurfaceError } from "./control-surface-error.ts";
import type { LookMessage } from "./outcome-message.ts";
import { isOfRun } from "./earlier-run.ts";

/** Completes “Live couldn't place the scene …:” for a run of which nothing stays. */
export function refusalReason(error: SurfaceError, { edition }: Welcome): string {
  const { code, message, limit } = error;
  if (code === "limit" && limit !== undefined) {
    return `Live ${edition} takes only ${limit.count} ${limit.what} in a Set`;
  }
  if (code === "busy") return "another import is running there";
  if (code === "cancelled") return "it was cancelled there";
  if (code === "path") return "a file is outside the sounds folder";
  return message;
}

/** Says what stays of a run that failed and couldn't be removed. */
export function leftSentence(sceneName: string, { message, stays }: SurfaceError): string {
  const reason = message.trim().replace(/\.$/, "");
  return [
    reason === ""
      ? `Live couldn't place ${sceneName}.`
      : `Live couldn't place ${sceneName}: ${reason}.`,
    `Still in the Set: ${stays.join(", ")}.`,
  ].join(" ");
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
  const held = look.held.filter(({ run }) => isOfRun(runId, run)).map(({ track }) => track);
  const holds =
    held.length === 0
      ? `The Set that is open now holds nothing of it.`
      : `The Set that is open now holds ${countOf(held.length, "part")} of it: ${held.join(", ")}.`;
  return `The Set was closed while Live placed ${sceneName}. ${holds}`;
}
