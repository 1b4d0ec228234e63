import type { Logger } from "pino";
import { sentenceOf } from "../core/text/sentence-of.ts";
import type { HealthTopic } from "./domain/upkeep/health.ts";

/** Logs what isn't well at a relay, and when it is again. */
export function logHealth(log: Logger, topic: HealthTopic, sentence: string | undefined): void {
  if (sentence === undefined) log.info({ topic }, "all is well again");
  else log.warn({ topic }, sentence);
}

/** Logs why a relay can't continue. Returns a function that stops it. */
export function logBreaking(broken: AbortSignal, log: Logger): () => void {
  const breaking = () => log.error({ err: broken.reason }, sentenceOf(broken.reason));
  if (broken.aborted) breaking();
  broken.addEventListener("abort", breaking);
  return () => broken.removeEventListener("abort", breaking);
}
