import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestSecurely } from "node:https";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CA } from "./running-proxy.ts";

export interface CallOptions {
  readonly method?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  /** Sent piece by piece. */
  readonly body?: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Sends nothing after the first piece until there is an answer. */
  readonly waitsAfterFirst?: boolean;
  readonly onPiece?: (piece: Buffer) => void;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** One call on a connection of its own, whose body is never whole in memory. */
export async function callThrough(
  url: string,
  { method = "GET", token, headers, body = [], waitsAfterFirst = false, onPiece }: CallOptions = {},
): Promise<Answer> {
  const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const request = url.startsWith("https:") ? requestSecurely : requestPlain;
  const sent = request(url, { method, ca: CA, agent: false, headers: { ...bearer, ...headers } });
  const answered = once(sent, "response");
  // Who is refused early may not send the rest.
  const pieces = waitsAfterFirst ? firstBefore(answered, body) : body;
  const sending = pipeline(Readable.from(pieces), sent).catch(() => undefined);
  const [response]: IncomingMessage[] = await answered;
  if (response === undefined) throw new Error("There is no answer.");
  let text = "";
  response.on("data", (piece: Buffer) => {
    if (onPiece === undefined) text += piece.toString();
    else onPiece(piece);
  });
  await once(response, "end");
  sent.destroy();
  await sending;
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}

async function* firstBefore(
  answered: Promise<unknown>,
  body: NonNullable<CallOptions["body"]>,
): AsyncIterable<Uint8Array> {
  for await (const piece of body) {
    yield piece;
    await answered;
  }
}

/** The call of an app with a JSON body. */
export function postJson(url: string, json: object, more: CallOptions = {}): Promise<Answer> {
  const body = Buffer.from(JSON.stringify(json));
  const headers = { ...more.headers, "content-length": body.byteLength };
  return callThrough(url, { method: "POST", ...more, headers, body: [body] });
}
