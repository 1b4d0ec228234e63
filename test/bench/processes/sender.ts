import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { bigWav } from "../big-wav.ts";
import { answerCalls } from "./answer-calls.ts";

const agent = new Agent({ keepAlive: true });

/** Sends one WAV with its `Content-Length`; awaits the answer. */
async function put(url: string, token: string, sizeBytes: number): Promise<void> {
  const call = request(url, {
    method: "PUT",
    agent,
    headers: { authorization: `Bearer ${token}`, "content-length": sizeBytes },
  });
  const answered = once(call, "response") as Promise<[IncomingMessage]>;
  for (const piece of bigWav(sizeBytes)) {
    // After a refusal the server reads no further, so there may be no drain.
    if (!call.write(piece)) await Promise.race([once(call, "drain"), answered]);
  }
  call.end();
  const [answer] = await answered;
  const body = await text(answer);
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${body}`);
}

/** The uploader, the same for every server: sends from memory over keep-alive connections. */
export const senderCalls = {
  /** Uploads to all URLs at once; returns the milliseconds until the last answer. */
  upload: async (job: {
    readonly urls: readonly string[];
    readonly token: string;
    readonly sizeBytes: number;
  }) => {
    const startedAt = performance.now();
    await Promise.all(job.urls.map((url) => put(url, job.token, job.sizeBytes)));
    return performance.now() - startedAt;
  },
};
export type SenderCalls = typeof senderCalls;

answerCalls(senderCalls);
