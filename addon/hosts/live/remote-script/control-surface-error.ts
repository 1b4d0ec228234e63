import { HostGoneError } from "../../host.ts";
import { formatEdition, type LiveVersion } from "./live-version.ts";

/**
 * The reason why the control surface can't be reached: `absent` (no file has its port), `silent` (nobody at the
 * port proves to be the control surface), `version` (it is from another release), `unsupported` (its Live lacks a
 * call), `lost` (the connection ended).
 */
export type UnreachableReason = "absent" | "silent" | "version" | "unsupported" | "lost";

/** The control surface can't be reached; the message is a sentence for the person who imports. */
export class UnreachableError extends HostGoneError {
  override readonly name = "UnreachableError";
  readonly reason: UnreachableReason;

  constructor(reason: UnreachableReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** An error with which the control surface answered a request. */
export class SurfaceError extends Error {
  override readonly name = "SurfaceError";
  /** A code of the contract, such as `busy`. */
  readonly code: string;
  /** The number of things in the Set that reached the limit, for the code `limit`. */
  readonly limit: { readonly what: string; readonly count: number } | undefined;
  /** Names of things that could not be removed. */
  readonly stays: readonly string[];
  /** The refused step, for the code `refused`; completes “Live couldn't …”. */
  readonly step: string | undefined;

  constructor(
    code: string,
    message: string,
    more: {
      readonly limit?: { readonly what: string; readonly count: number } | undefined;
      readonly stays?: readonly string[];
      readonly step?: string | undefined;
    } = {},
  ) {
    super(message);
    this.code = code;
    this.limit = more.limit;
    this.stays = more.stays ?? [];
    this.step = more.step;
  }
}

/** Checks whether the control surface can't be reached, for one of these reasons. */
export function isUnreachable(error: unknown, ...reasons: readonly UnreachableReason[]): boolean {
  return error instanceof UnreachableError && reasons.includes(error.reason);
}

/** Returns the reason for a refusal, which completes “Live couldn't place the scene …:”. */
export function refusalReason(error: SurfaceError, live: Pick<LiveVersion, "edition">): string {
  const { code, message, limit, step } = error;
  const reason = withoutPeriod(message);
  if (code === "limit" && limit !== undefined) {
    return `${formatEdition(live)} takes only ${limit.count} ${limit.what} in a Set`;
  }
  if (code === "busy") return "another import is running there";
  if (code === "path") return "a file is not in the folders that it may open";
  if (step !== undefined) return reason === "" ? `it didn't ${step}` : `${step}: ${reason}`;
  return reason;
}

/** Returns a sentence on what stays of a run that failed and couldn't be removed. */
export function leftSentence(
  sceneName: string,
  error: Pick<SurfaceError, "stays">,
  reason: string,
): string {
  const why = reason === "" ? "" : `: ${reason}`;
  return `Live couldn't place ${sceneName}${why}. Still in the Set: ${error.stays.join(", ")}.`;
}

/** Returns a message of Live without its period, to be put into a sentence. */
export function withoutPeriod(message: string): string {
  return message.trim().replace(/\.$/, "");
}
