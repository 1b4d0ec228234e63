import { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isJsonObject } from "../../core/text/json-object.ts";
import { parseJson } from "../../core/text/parse-json.ts";

const MAX_BODY_BYTES = 65_536;

/** An authorized call to the control server. */
export interface ControlCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Decoded path parameters, in order. */
  readonly parts: readonly string[];
}

/** A route of the control server; the first match answers. */
export interface Route {
  readonly method: string;
  /** Path pattern with parameters, such as `/apps/:pairing_id`. */
  readonly path: string;
  /** True if a call needs no secret; only for answers that contain nothing private (rule N1). */
  readonly isOpen?: boolean;
  /** Answers the call; a rejection becomes the answer. */
  readonly handle: (call: ControlCall) => Promise<void>;
}

export function route(method: string, path: string, handle: Route["handle"]): Route {
  return { method, path, handle };
}

/** A failed call; the message is a sentence. */
export class ControlError extends Error {
  override readonly name = "ControlError";
  /** The HTTP status; the relay's if the relay refused. */
  readonly status: number;
  /** The stable name of a relay's refusal. */
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

/** Reads the JSON body; undefined where it is empty or invalid. @throws {ControlError} 413 */
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

/** Reads the JSON body, which must be an object. @throws {ControlError} 400, 413 */
export async function readObject(call: ControlCall): Promise<Readonly<Record<string, unknown>>> {
  const body = await readBody(call);
  if (!isJsonObject(body)) throw new ControlError(400, "The body must be a JSON object.");
  return body;
}

/** Returns a member of a body that must be a string. @throws {ControlError} 400 with a sentence */
export function textIn(body: Readonly<Record<string, unknown>>, name: string): string {
  const value = body[name];
  if (typeof value !== "string") throw new ControlError(400, `${name} must be a string.`);
  return value;
}

/** Returns a member of a body that must be true or false. @throws {ControlError} 400 with a sentence */
export function booleanIn(body: Readonly<Record<string, unknown>>, name: string): boolean {
  const value = body[name];
  if (typeof value !== "boolean") throw new ControlError(400, `${name} must be true or false.`);
  return value;
}
