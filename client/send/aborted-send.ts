import { ClientError } from "../wire/client-error.ts";

/**
 * What became of the package of an aborted `send`:
 * - `nothing`: there is no package; nothing was announced
 * - `withdrawn`: the relay has taken it back
 * - `pending`: the relay couldn't be reached; the client withdraws it as soon as it is used again
 * - `kept`: the app gave its own key, so that it can resume the package
 * - `taken`: too late: it was committed, and the importer already has it
 */
export type AbortOutcome = "nothing" | "withdrawn" | "pending" | "kept" | "taken";

/** What `send` throws once its signal aborts. Its `cause` is the signal's reason. */
export class AbortedSend extends ClientError {
  override readonly name = "AbortError";
  readonly outcome: AbortOutcome;

  constructor(outcome: AbortOutcome, reason: unknown, packageId: string | undefined) {
    super(SENTENCES[outcome], { code: "SEND_ABORTED", packageId, cause: reason });
    this.outcome = outcome;
  }
}

const SENTENCES: Readonly<Record<AbortOutcome, string>> = {
  nothing: "Stopped; nothing was sent.",
  withdrawn: "Stopped; nothing was sent.",
  pending: "Stopped. What was sent so far is withdrawn once the relay can be reached.",
  kept: "Stopped. Send it again to resume.",
  taken: "Too late to stop: this package is already being imported.",
};
