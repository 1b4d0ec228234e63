import { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import { parseJson } from "../import/parse-json.ts";

/** The longest body of a call, in bytes. */
const MAX_BODY_BYTES = 65_536;

/** One call to the control server that was let in. */
export interface ControlCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The parts of the path that the route leaves open, decoded, in order. */
  readonly parts: readonly string[];
}

/** What the server can do, one entry a path; the first that fits answers. */
export interface Route {
  readonly method: string;
  /** A part that begins with `:` stands for anything, such as `/apps/:pairing_id`. */
  readonly path: string;
  /** What it rejects with becomes the answer: see `answerError`. */
  readonly handle: (call: ControlCall) => Promise<void>;
}

/** A call that can't be answered, or was answered with an error; the message is a sentence. */
export class ControlError extends Error {
  override readonly name = "ControlError";
  /** The HTTP status, of the relay where it was the relay that refused; 500 where none is known. */
  readonly status: number;
  /** Stable name of a relay's refusal. */
  readonly code: string | undefined;

  constructor(
    status: number,
    sentence: string,
    { code, ...options }: ErrorOptions & { readonly code?: string | undefined } = {},
  ) {
    super(sentence, options);
    this.status = status;
    this.code = code;
  }
}

/**
 * Reads the JSON body; undefined where there is none that can be read.
 * @throws {ControlError} 413
 */
export async function readBody({ request }: ControlCall): Promise<unknown> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > MAX_BODY_BYTES) throw new ControlError(413, "The body is too large.");
    pieces.push(piece);
  }
  return parseJson(Buffer.concat(pieces).toString("utf8"));
}

/** Every answer says these: it is for this moment, and exactly what it says it is. */
const HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  // Calls come from this computer and are few; nothing is kept open when the server closes.
  connection: "close",
};

export function answerJson({ response }: ControlCall, status: number, body: unknown): void {
  response.writeHead(status, { ...HEADERS, "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/**
 * Answers piece by piece: a line of JSON for each `send`, and a last one with what the work gave or
 * why it failed. When the caller hangs up, the work's signal aborts.
 */
export async function answerLines(
  { response }: ControlCall,
  work: (terms: {
    /** A line that a slow reader may miss. */
    readonly send: (line: object) => void;
    readonly signal: AbortSignal;
  }) => Promise<object>,
): Promise<void> {
  const abort = new AbortController();
  response.on("close", () => {
    if (!response.writableFinished) abort.abort(new Error("The caller hung up."));
  });
  response.writeHead(200, { ...HEADERS, "content-type": "application/x-ndjson" });
  response.flushHeaders();
  const write = (line: object) => response.write(`${JSON.stringify(line)}\n`);
  const send = (line: object) => {
    if (!response.writableNeedDrain) write(line);
  };
  try {
    write(await work({ send, signal: abort.signal }));
  } catch (error) {
    write(errorBody(error));
  }
  response.end();
}

/** What the other side makes its error of: the sentence, and what a relay said with it. */
export function errorBody(error: unknown): object {
  const from = error instanceof Error ? error : new Error(String(error));
  return {
    error: from.message,
    ...("status" in from && typeof from.status === "number" && { status: from.status }),
    ...("code" in from && typeof from.code === "string" && { code: from.code }),
  };
}
