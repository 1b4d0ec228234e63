import type { HttpConnection } from "../../../addon/relay/http-connection.ts";
import { MAX_WAIT_SECONDS } from "../../../core/limits.ts";
import { sentenceOf } from "../../../core/text/sentence-of.ts";
import { type Finding, wrong } from "../finding.ts";

/** The waits of the checks of a relay. */
export interface Waits {
  /** An answer that is due at once and takes longer is held back by something on the way. */
  readonly answerMs: number;
  /** Time for which a call and a WebSocket stay open and silent; 0 leaves that out. */
  readonly openSeconds: number;
  /** Number of the relay's pings that the WebSocket waits for. */
  readonly pings: number;
}

/** The waits of a real importer's WebSocket and of a real app's long-poll. */
export const PATIENT: Waits = { answerMs: 5000, openSeconds: MAX_WAIT_SECONDS, pings: 2 };
/** The waits without the checks that take about a minute. */
export const QUICK: Waits = { ...PATIENT, openSeconds: 0, pings: 0 };

/** One examination of a relay from outside (rule K15). */
export interface Visit {
  /** The relay's address, without a trailing slash. */
  readonly url: string;
  /** A connection to that address. */
  readonly http: HttpConnection;
  readonly waits: Waits;
  readonly registrationKey: string | undefined;
  /** Says what takes a while. */
  readonly say: (line: string) => void;
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Runs a check; a call of it that fails on the way is a finding. @throws {unknown} the signal's reason */
export async function troubleIsAFinding(
  { signal }: Visit,
  check: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await check();
  } catch (error) {
    signal.throwIfAborted();
    const advice =
      "Run this again. If that happens again, see the logs of the proxy and of the relay.";
    return [wrong("connection", `A call failed: ${sentenceOf(error)}`, advice)];
  }
}
