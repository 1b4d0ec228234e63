import type { OutgoingHttpHeaders } from "node:http";
import { pipeline } from "node:stream/promises";
import type { ControlCall } from "./control-call.ts";

/** Every answer says these: it is for this moment, and exactly what it says it is. */
const HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  // Calls come from this computer and are few; nothing is kept open when the server closes.
  connection: "close",
};

/** Begins an answer; what it says of itself comes on top of what every answer says. */
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

/** Begins an answer that is one JSON value a line. */
export function beginLines(call: ControlCall): void {
  beginAnswer(call, 200, { "content-type": "application/x-ndjson" });
  call.response.flushHeaders();
}

/** Aborts when the caller hangs up before the answer is complete. */
export function hangUpSignal({ response }: ControlCall): AbortSignal {
  const abort = new AbortController();
  response.on("close", () => {
    if (!response.writableFinished) abort.abort(new Error("The caller hung up."));
  });
  return abort.signal;
}

/**
 * Answers with bytes, as fast as the caller takes them: nobody waits for a slow one. Where the source
 * fails, or the server closes, the answer is cut off.
 */
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
 * Answers piece by piece: a line of JSON for each `send`, and a last one with what the work gave or
 * why it failed. When the caller hangs up, the work's signal aborts.
 */
export async function answerLines(
  call: ControlCall,
  work: (options: {
    /** A line that a slow reader may miss. */
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

/** What the other side makes its error of: the sentence, and what a relay said with it. */
export function errorBody(error: unknown): ErrorBody {
  const from = error instanceof Error ? error : new Error(String(error));
  return {
    error: from.message,
    ...("status" in from && typeof from.status === "number" && { status: from.status }),
    ...("code" in from && typeof from.code === "string" && { code: from.code }),
  };
}
