import type { OutgoingHttpHeaders } from "node:http";
import { pipeline } from "node:stream/promises";
import type { ControlCall } from "./control-call.ts";

const HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  // Local calls are few, and closing the server needn't wait for idle connections.
  connection: "close",
};

/** Starts an answer with the common headers and these. */
export function beginAnswer(
  { response }: ControlCall,
  status: number,
  headers: OutgoingHttpHeaders,
): void {
  response.writeHead(status, { ...HEADERS, ...headers });
}

export function answerJson(call: ControlCall, status: number, body: unknown): void {
  beginAnswer(call, status, { "content-type": "application/json" });
  call.response.end(JSON.stringify(body));
}

/** Starts an NDJSON answer. */
export function beginLines(call: ControlCall): void {
  beginAnswer(call, 200, { "content-type": "application/x-ndjson" });
  call.response.flushHeaders();
}

/** Returns a signal that aborts when the caller disconnects before the answer is complete. */
export function hangUpSignal({ response }: ControlCall): AbortSignal {
  const abort = new AbortController();
  response.on("close", () => {
    if (!response.writableFinished) abort.abort(new Error("The caller hung up."));
  });
  return abort.signal;
}

/** Streams bytes in the background, with backpressure. The answer breaks off when the source fails or the server closes. */
export function answerBytes(
  call: ControlCall,
  { type, sizeBytes }: { readonly type: string; readonly sizeBytes: number | null },
  body: AsyncIterable<Uint8Array>,
): void {
  beginAnswer(call, 200, {
    "content-type": type,
    ...(sizeBytes !== null && { "content-length": sizeBytes }),
  });
  pipeline(body, call.response).catch(() => call.response.destroy());
}

/**
 * Streams a line of JSON for each `send`, and a last one with the work's result or error. The work's
 * signal aborts when the caller disconnects.
 */
export async function answerLines(
  call: ControlCall,
  work: (options: {
    /** Sends a line, or drops it while the reader is slow. */
    readonly send: (line: object) => void;
    readonly signal: AbortSignal;
  }) => Promise<object>,
): Promise<void> {
  const { response } = call;
  const signal = hangUpSignal(call);
  beginLines(call);
  const write = (line: object) => response.write(`${JSON.stringify(line)}\n`);
  const send = (line: object) => {
    if (!response.writableNeedDrain) write(line);
  };
  try {
    write(await work({ send, signal }));
  } catch (error) {
    write(errorBody(error));
  }
  response.end();
}

export interface ErrorBody {
  readonly error: string;
  readonly status?: number;
  readonly code?: string;
}

/** Serializes an error, with a relay's status and code. */
export function errorBody(error: unknown): ErrorBody {
  const from = error instanceof Error ? error : new Error(String(error));
  return {
    error: from.message,
    ...("status" in from && typeof from.status === "number" && { status: from.status }),
    ...("code" in from && typeof from.code === "string" && { code: from.code }),
  };
}
