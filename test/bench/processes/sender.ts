import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { bigWav } from "../big-wav.ts";
import { answerCalls } from "./answer-calls.ts";

const agent = new Agent({ keepAlive: true });

interface Upload {
  /** The app's; none unless set. */
  readonly token?: string;
  /** `PUT` unless set. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly sizeBytes: number;
}

/** Sends one WAV with its `Content-Length`; awaits the answer. */
async function send(
  url: string,
  { token, method = "PUT", headers = {}, sizeBytes }: Upload,
): Promise<void> {
  const call = request(url, {
    method,
    agent,
    headers: {
      ...headers,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      "content-length": sizeBytes,
    },
  });
  const answered = once(call, "response") as Promise<[IncomingMessage]>;
  for (const piece of bigWav(sizeBytes)) {
    // After a refusal the server reads no further, so there may be no drain.
    if (!call.write(piece)) await Promise.race([once(call, "drain"), answered]);
  }
  call.end();
  const [answer] = await answered;
  const body = await text(answer);
  if (Math.floor((answer.statusCode ?? 0) / 100) !== 2)
    throw new Error(`${answer.statusCode}: ${body}`);
}

/** The uploader, the same for every server: sends from memory over keep-alive connections. */
export const senderCalls = {
  /** Uploads to all URLs at once; returns the milliseconds until the last answer. */
  upload: async ({ urls, ...upload }: Upload & { readonly urls: readonly string[] }) => {
    const startedAt = performance.now();
    await Promise.all(urls.map((url) => send(url, upload)));
    return performance.now() - startedAt;
  },
};
export type SenderCalls = typeof senderCalls;

answerCalls(senderCalls);
