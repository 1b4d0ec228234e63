import autocannon from "autocannon";
import { answerCalls } from "./answer-calls.ts";

/** Polls the status. */
export const loadCalls = {
  /** Returns what was answered; every answer must be a 200. */
  get: async (job: {
    readonly url: string;
    readonly token: string;
    readonly seconds: number;
    /** 20 unless set. */
    readonly connections?: number;
  }) => {
    const { requests, duration, errors, non2xx } = await autocannon({
      url: job.url,
      headers: { authorization: `Bearer ${job.token}` },
      connections: job.connections ?? 20,
      duration: job.seconds,
    });
    if (errors + non2xx > 0) throw new Error(`${errors} calls failed, ${non2xx} were refused.`);
    return { calls: requests.total, callsPerSecond: requests.total / duration };
  },
};
export type LoadCalls = typeof loadCalls;

answerCalls(loadCalls);
