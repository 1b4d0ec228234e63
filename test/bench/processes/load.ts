import autocannon, { type Options } from "autocannon";
import { answerCalls } from "./answer-calls.ts";

async function answersOf(load: Options) {
  const { requests, duration, errors, non2xx } = await autocannon(load);
  if (errors + non2xx > 0) throw new Error(`${errors} calls failed, ${non2xx} were refused.`);
  return { calls: requests.total, callsPerSecond: requests.total / duration };
}

const LOOK_EVERY_MS = 20;

/** The length of a job. */
type HowLong = { readonly seconds: number } | { readonly amount: number };

function lengthOf(job: HowLong): Pick<Options, "duration" | "amount" | "sampleInt"> {
  if ("seconds" in job) return { duration: job.seconds };
  return { amount: job.amount, sampleInt: LOOK_EVERY_MS };
}

/** Asks for statuses, and announces. */
export const loadCalls = {
  /** Returns what was answered; every answer must be a 200. */
  get: async (
    job: HowLong & {
      readonly url: string;
      readonly token: string;
      /** 20 unless set. */
      readonly connections?: number;
    },
  ) =>
    answersOf({
      url: job.url,
      headers: { authorization: `Bearer ${job.token}` },
      connections: job.connections ?? 20,
      ...lengthOf(job),
    }),
  /** Announces packages of these apps in turn; every answer must be a 201. */
  announce: async (
    job: HowLong & {
      readonly url: string;
      readonly tokens: readonly string[];
      readonly manifest: object;
      readonly connections: number;
    },
  ) =>
    answersOf({
      url: job.url,
      connections: job.connections,
      ...lengthOf(job),
      requests: job.tokens.map((token) => ({
        method: "POST",
        path: "/packages",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(job.manifest),
      })),
    }),
};
export type LoadCalls = typeof loadCalls;

answerCalls(loadCalls);
