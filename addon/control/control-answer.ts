import { createHash } from "node:crypto";
import type { OutgoingHttpHeaders } from "node:http";
import { pipeline } from "node:stream/promises";
import {
  contentPolicyFor,
  NOTHING_LOADS,
  STRETCH_PATH,
} from "../../core/protocol/content-policy.ts";
import { type ControlCall, route, type Route } from "./control-call.ts";
import type { Timers } from "../timers.ts";
import { readStretchModule } from "../../program/stretch-module.ts";

const HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  // Local calls are few, and closing the server needn't wait for idle connections.
  connection: "close",
};

/** Starts an answer with the common headers and the given ones. */
export function beginAnswer(
  { response }: ControlCall,
  status: number,
  headers: OutgoingHttpHeaders,
): void {
  response.writeHead(status, { ...HEADERS, ...headers });
}

export function answerJson(call: ControlCall, status: number, body: unknown): void {
  beginAnswer(call, status, {
    "content-type": "application/json",
    "content-security-policy": NOTHING_LOADS,
  });
  call.response.end(JSON.stringify(body));
}

/** Returns a route that answers 200 with what `ask` returns, as JSON; `{}` for nothing. */
export function jsonRoute(
  method: string,
  path: string,
  ask: (call: ControlCall) => Promise<object | void> | object | void,
): Route {
  return route(method, path, async (call) => answerJson(call, 200, (await ask(call)) ?? {}));
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
  {
    type,
    sizeBytes,
    headers = {},
  }: {
    readonly type: string;
    readonly sizeBytes: number | null;
    readonly headers?: OutgoingHttpHeaders;
  },
  body: AsyncIterable<Uint8Array>,
): void {
  beginAnswer(call, 200, {
    ...headers,
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

interface ErrorBody {
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

/** Shortest time between two lines. */
const PAUSE_MS = 50;
/** Interval of the heartbeat: an unchanged state is sent again, so that the page knows that its server is alive. */
const BEAT_MS = 15_000;

/** A state to stream. */
export interface LineSource {
  /** Returns the state; called for each line that is sent. */
  readonly read: () => object;
  /** Calls the listener after each change; the returned function unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Called before each heartbeat. */
  readonly onBeat?: () => void;
}

/**
 * Streams a state as NDJSON, now and after each change, until the caller disconnects or the server
 * closes (rules N3 and V1). A slow reader misses states, but never the newest one.
 */
export function streamLines(
  call: ControlCall,
  { read, subscribe, onBeat }: LineSource,
  { timers }: { readonly timers: Timers },
): void {
  const { response } = call;
  let isPausing = false;
  let isChanged = false;
  let endPause: (() => void) | undefined;
  let endBeat: (() => void) | undefined;

  const send = (): void => {
    isChanged = true;
    if (isPausing || response.writableNeedDrain) return;
    isChanged = false;
    response.write(`${JSON.stringify(read())}\n`);
    isPausing = true;
    endPause = timers.after(PAUSE_MS, () => {
      isPausing = false;
      sendIfChanged();
    });
    endBeat?.();
    endBeat = timers.after(BEAT_MS, beat);
  };
  const sendIfChanged = (): void => {
    if (isChanged) send();
  };
  const beat = (): void => {
    onBeat?.();
    send();
  };

  beginLines(call);
  send();
  const unsubscribe = subscribe(send);
  response.on("drain", sendIfChanged);
  response.on("close", () => {
    unsubscribe();
    endPause?.();
    endBeat?.();
  });
}

export interface PageOptions {
  /** True if the page may load the stretching module from its server (rule N10); false by default. */
  readonly canStretch?: boolean;
}

/** Answers with a page that can load from and call only its own server (rule N1). */
export function answerPage(
  call: ControlCall,
  html: string,
  { canStretch = false }: PageOptions = {},
): void {
  // The host name was checked before.
  const workletUrl = `http://${call.request.headers.host ?? ""}${STRETCH_PATH}`;
  beginAnswer(call, 200, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": contentPolicyFor(
      html,
      sha256Base64,
      canStretch ? { workletUrl } : {},
    ),
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
  });
  call.response.end(html);
}

function sha256Base64(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}

/** Serves the stretching module to the page (rule N10). It needs no secret: it is the same for everybody. */
export const STRETCH_ROUTE: Route = {
  method: "GET",
  path: STRETCH_PATH,
  isOpen: true,
  handle: async (call) => {
    const script = await readStretchModule();
    beginAnswer(call, 200, {
      "content-type": "text/javascript; charset=utf-8",
      "content-length": script.byteLength,
      // Every loop that is rendered loads it again.
      "cache-control": "private, max-age=3600",
      "cross-origin-resource-policy": "same-origin",
    });
    call.response.end(script);
  },
};
