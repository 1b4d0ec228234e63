import type { Logger } from "pino";
import { isStoreError, partsOf } from "../domain/ports.ts";
import { StoresAwayError } from "./answer-refusal.ts";
import type { Refusal } from "../../core/protocol/refusal.ts";
import type { LineSampler } from "./line-sampler.ts";

/** Time after which a lasting trouble of the stores is logged again. */
const AGAIN_MS = 600_000;

/** Logs an unexpected error, with the call's details if there is a call. */
export type LogTrouble = (error: unknown, message: string, call?: object) => void;

/**
 * Makes a log of errors that logs each kind of trouble with the stores only once in ten minutes, however many calls
 * fail. The error's own sentence names the place and the remedy. Other errors are sampled by the place in the code that
 * they come from (rule E8).
 */
export function troubleLog(log: Logger, sampler: LineSampler): LogTrouble {
  const loggedAt = new Map<string, number>();
  const logTrouble: LogTrouble = (error, message, call = {}) => {
    if (error instanceof StoresAwayError) return logTrouble(error.cause, message, call);
    if (error instanceof AggregateError) {
      for (const part of partsOf(error)) logTrouble(part, message, call);
      return;
    }
    if (!(error instanceof Error) || !isStoreError(error)) {
      if (sampler.admits("error", placeOf(error), "errors")) {
        log.error({ ...call, err: error }, message);
      }
      return;
    }
    const kind = `${error.name} ${"code" in error ? String(error.code) : ""}`;
    const now = performance.now();
    if (now - (loggedAt.get(kind) ?? -Infinity) < AGAIN_MS) return;
    loggedAt.set(kind, now);
    log.error({ ...call, err: error }, error.message);
  };
  return logTrouble;
}

/** Returns the error behind a refusal; undefined if the refusal says it all. */
export function troubleOf(error: unknown, refused: Refusal): unknown {
  return refused.status >= 500 && refused !== error ? error : refused.cause;
}

function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return `${error.name}${/\n {4}at .*/.exec(error.stack ?? "")?.[0] ?? ""}`;
}
