import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { answerCalls } from "./answer-calls.ts";

/** Calls come whether or not the earlier ones are answered: a slow answer never thins them out. */
const LOOK_MS = 2;
const agent = new Agent({ keepAlive: true });
let asks = new AbortController();
let asking: Promise<readonly number[]> = Promise.resolve([]);

interface Job {
  /** Asked in turn. */
  readonly urls: readonly string[];
  readonly token: string;
  readonly perSecond: number;
}

/** Asks for a status again and again, evenly. */
export const statusCalls = {
  start: (job: Job) => {
    asks = new AbortController();
    asking = askOn(job, asks.signal);
  },
  /** The milliseconds of each call. */
  stop: () => {
    asks.abort();
    return asking;
  },
};
export type StatusCalls = typeof statusCalls;

async function askOn(job: Job, stopped: AbortSignal): Promise<readonly number[]> {
  const asked: Promise<number>[] = [];
  const startedAt = performance.now();
  while (!stopped.aborted) {
    const due = ((performance.now() - startedAt) / 1000) * job.perSecond;
    while (asked.length < due) {
      asked.push(ask(job.urls[asked.length % job.urls.length] ?? "", job.token));
    }
    await sleep(LOOK_MS);
  }
  return Promise.all(asked);
}

/** Returns the milliseconds until the whole answer is there. */
function ask(url: string, token: string): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const request = get(url, { agent, headers }, (answer) => {
      answer.resume();
      answer.on("error", reject).on("end", () => {
        if (answer.statusCode === 200) resolve(performance.now() - startedAt);
        else reject(new Error(`The status was answered ${answer.statusCode}.`));
      });
    });
    request.on("error", reject);
  });
}

answerCalls(statusCalls);
