import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { answerCalls } from "../../../bench/processes/answer-calls.ts";
import { percentile } from "../../../bench/rounds.ts";
import { type HttpCall, httpCall } from "../http-call.ts";

/** 50 calls a second, whether or not the earlier ones are answered: a slow answer never thins out the calls. */
const EVERY_MS = 20;

interface Job {
  readonly url: string;
  /** They take turns, so that none makes more calls than it may. */
  readonly callers: readonly Pick<HttpCall, "path" | "token" | "from">[];
  readonly seconds: number;
}

/** Asks for a status again and again, as an honest app does, at a steady pace. */
export const watcherCalls = {
  watch: async ({ url, callers, seconds }: Job) => {
    const agent = new Agent({ keepAlive: true });
    const startedAt = performance.now();
    const asked: Promise<{ readonly status: number; readonly ms: number }>[] = [];
    while (performance.now() - startedAt < seconds * 1000) {
      const due = (performance.now() - startedAt) / EVERY_MS;
      while (asked.length < due) {
        const caller = callers[asked.length % callers.length] as (typeof callers)[number];
        asked.push(httpCall({ url }, { ...caller, agent }));
      }
      await sleep(EVERY_MS / 2);
    }
    const answers = await Promise.all(asked);
    agent.destroy();
    const ms = answers.filter(({ status }) => status === 200).map((answer) => answer.ms);
    return { calls: answers.length, answered: ms.length, p99Ms: percentile(ms, 0.99) };
  },
};
export type WatcherCalls = typeof watcherCalls;

answerCalls(watcherCalls);
