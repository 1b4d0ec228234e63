import { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isJsonObject } from "../../core/text/json-object.ts";
import { parseJson } from "../../core/text/parse-json.ts";

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
  /** Whether whoever asks needs no secret: only for what holds none (rule N1). */
  readonly isOpen?: boolean;
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

/**
 * Reads the body as a JSON object.
 * @throws {ControlError} 400, 413
 */
export async function readObject(call: ControlCall): Promise<Readonly<Record<string, unknown>>> {
  const body = await readBody(call);
  if (!isJsonObject(body)) throw new ControlError(400, "The body must be a JSON object.");
  return body;
}
