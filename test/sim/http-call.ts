import { Agent, type ClientRequest, type IncomingHttpHeaders, request } from "node:http";
import { letPass } from "./real-time.ts";

/** A relay, as somebody outside knows it. */
export interface Target {
  readonly url: string;
}

/** A call to a relay. */
export interface HttpCall {
  readonly method?: string;
  readonly path: string;
  readonly token?: string | undefined;
  /** The client address that the trusted proxy names. Default: none, the driver's own. */
  readonly from?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes, or a value that is sent as JSON. */
  readonly body?: unknown;
  /** Called with the bytes of each piece of the body, of which there are eight; the next one waits for it. Default: one. */
  readonly onPiece?: (bytes: number) => Promise<void>;
  /** After this long without a whole answer the connection is dropped. Default: a minute. */
  readonly timeoutMs?: number;
  /** Default: one that keeps up to 128 connections open. */
  readonly agent?: Agent;
}

export interface HttpAnswer {
  /** 0 if the connection was lost before an answer. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly json: Readonly<Record<string, unknown>>;
  readonly ms: number;
}

const TIMEOUT_MS = 60_000;
const PIECES = 8;
const keptAgent = new Agent({ keepAlive: true, maxSockets: 128 });

/** Makes a call and reads the whole answer. A lost connection is an answer, with status 0. */
export function httpCall({ url }: Target, call: HttpCall): Promise<HttpAnswer> {
  const startedAt = performance.now();
  const body = Buffer.isBuffer(call.body) ? call.body : jsonOf(call.body);
  return new Promise((resolve) => {
    const settle = (status: number, headers: IncomingHttpHeaders, pieces: readonly Buffer[]) => {
      const all = Buffer.concat(pieces);
      const ms = performance.now() - startedAt;
      resolve({ status, headers, body: all, json: parse(all), ms });
    };
    const lost = () => settle(0, {}, []);
    const asked = request(url + call.path, {
      method: call.method ?? (body === undefined ? "GET" : "POST"),
      agent: call.agent ?? keptAgent,
      headers: {
        ...(call.token !== undefined && { authorization: `Bearer ${call.token}` }),
        ...(call.from !== undefined && { "x-forwarded-for": call.from }),
        ...(body !== undefined && { "content-length": String(body.byteLength) }),
        ...call.headers,
      },
    });
    const timer = setTimeout(
      () => asked.destroy(new Error("No answer.")),
      call.timeoutMs ?? TIMEOUT_MS,
    );
    asked.on("close", () => clearTimeout(timer));
    asked.on("error", lost);
    asked.on("response", (answer) => {
      const pieces: Buffer[] = [];
      answer.on("data", (piece: Buffer) => pieces.push(piece));
      answer.on("end", () => settle(answer.statusCode ?? 0, answer.headers, pieces));
      answer.on("error", lost);
    });
    void sendBody(asked, body, call.onPiece);
  });
}

async function sendBody(
  asked: ClientRequest,
  body: Buffer | undefined,
  onPiece: HttpCall["onPiece"],
): Promise<void> {
  if (body === undefined || onPiece === undefined) return void asked.end(body);
  const size = Math.ceil(body.byteLength / PIECES);
  for (let at = 0; at < body.byteLength && !asked.destroyed; at += size) {
    const piece = body.subarray(at, at + size);
    asked.write(piece);
    await onPiece(piece.byteLength);
  }
  asked.end();
}

function jsonOf(value: unknown): Buffer | undefined {
  return value === undefined ? undefined : Buffer.from(JSON.stringify(value));
}

function parse(body: Buffer): Readonly<Record<string, unknown>> {
  if (body.byteLength === 0 || body[0] !== 0x7b) return {};
  return JSON.parse(body.toString()) as Readonly<Record<string, unknown>>;
}

/** Does work for each of `count` indexes, `width` at a time. */
export async function inParallel<Result>(
  count: number,
  width: number,
  work: (index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      results[index] = await work(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, worker));
  return results;
}

/** Repeats a call as a client does: on 429, 503, 507 and lost connections it waits as told, until `withinMs` are over. */
export async function patiently(
  act: () => Promise<HttpAnswer>,
  withinMs: number,
): Promise<HttpAnswer> {
  const endsAt = performance.now() + withinMs;
  for (;;) {
    const answer = await act();
    if (![0, 408, 429, 503, 507].includes(answer.status)) return answer;
    const waitMs = Math.max(0.2, Number(answer.headers["retry-after"] ?? 1)) * 1000;
    if (performance.now() + waitMs > endsAt) return answer;
    await letPass(waitMs);
  }
}

/** Counts the answers that have one of these statuses. */
export function countOf(answers: readonly HttpAnswer[], ...statuses: readonly number[]): number {
  return answers.filter(({ status }) => statuses.includes(status)).length;
}

/**
 * Acts at a steady pace, whether or not the earlier acts are over, until `isOver`. Resolves with what they gave once
 * all are over.
 */
export async function atPace<Result>(
  perSecond: number,
  isOver: (begun: number) => boolean,
  act: (index: number) => Promise<Result>,
): Promise<Result[]> {
  const startedAt = performance.now();
  const acts: Promise<Result>[] = [];
  while (!isOver(acts.length)) {
    const due = ((performance.now() - startedAt) / 1000) * perSecond;
    while (acts.length < due && !isOver(acts.length)) acts.push(act(acts.length));
    await letPass(10);
  }
  return Promise.all(acts);
}
