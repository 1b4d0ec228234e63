import type { Call } from "./call.ts";

/** Aborts when the relay stops, or when the caller hangs up before it has its answer. */
export function nobodyWaits({ reply, stopping }: Call): AbortSignal {
  const hangUp = new AbortController();
  reply.raw.once("close", () => hangUp.abort());
  return AbortSignal.any([stopping, hangUp.signal]);
}
