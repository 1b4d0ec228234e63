import type { FastifyReply, FastifyRequest } from "fastify";
import type { RelayOperator } from "../../core/messages/operator-strip.ts";
import type { Timers } from "../../core/timers.ts";
import type { Caller } from "../domain/caller.ts";
import type { Context } from "../domain/context.ts";
import type { Eventual } from "../../core/eventual.ts";
import type { KnownApp } from "../domain/pairing/known-tokens.ts";
import type { DeviceRecord } from "../domain/ports.ts";
import type { Operation } from "./contract/openapi/operation.ts";
import type { Draining, Work } from "./draining.ts";
import type { RelayPages } from "./pages.ts";
import { callerOf } from "./auth/callers.ts";

/** The server's parts that calls need. */
export interface CallDeps {
  readonly context: Context;
  /** A sender that is silent for this long is disconnected (rule U5). */
  readonly idleMs: number;
  readonly draining: Draining;
  readonly operator: RelayOperator;
  /** Without pages, the relay serves only programs. */
  readonly pages?: RelayPages | undefined;
}

/** A call on its way to its handler. It is a class because an object literal with a getter costs more for each call. */
export class Call {
  readonly context: Context;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly idleMs: number;
  /** The timers that measure the sender's silence. */
  readonly timers: Timers;
  /** True if the relay serves pages and the client, not only programs. */
  readonly hasPages: boolean;
  readonly operator: RelayOperator;
  /** Aborts when a call that waits must be answered, because the relay stops (rule K11). */
  readonly stopping: AbortSignal;

  constructor(
    { context, idleMs, draining, operator, pages }: CallDeps,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    this.context = context;
    this.idleMs = idleMs;
    this.timers = draining.timers;
    this.hasPages = pages !== undefined;
    this.operator = operator;
    this.stopping = draining.holdEnds;
    this.request = request;
    this.reply = reply;
  }

  /** The caller, a stranger until the token was checked. It is worked out only on demand, because that takes time. */
  get caller(): Caller {
    return callerOf(this.request);
  }
}

/** A handler's answer: a JSON value, JSON text, text of another type, or no body. */
export type Answer =
  | { readonly status: number; readonly body: object }
  | JsonText
  | OtherText
  | { readonly status: 204 };
interface JsonText {
  readonly status: number;
  readonly json: string;
}
interface OtherText {
  readonly status: number;
  readonly text: string;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
}
/** Result of a handler that writes its own response. */
export const ANSWERED = Symbol("answered");

export type HttpMethod = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
/** Result of a handler: an answer, or that it has written its own. */
export type Handled = Eventual<Answer | typeof ANSWERED>;

/** One line of the API: the caller, the path, the handler, and the contract's description. */
export type Route = {
  readonly method: HttpMethod;
  readonly path: string;
  readonly operation: Operation;
  /** The call's meaning to a relay that stops; undefined if it has none. */
  readonly work?: Work | undefined;
} & (
  | { readonly auth: "open"; readonly handle: (call: Call) => Handled }
  | { readonly auth: "app"; readonly handle: (call: Call, app: KnownApp) => Handled }
  | { readonly auth: "importer"; readonly handle: (call: Call, device: DeviceRecord) => Handled }
);

/** Returns a path parameter, percent-decoded; empty if the route has none of that name. */
export function pathPart(call: Call, name: "id" | "file" | "pairing_id"): string {
  const parts: unknown = call.request.params;
  if (typeof parts !== "object" || parts === null) return "";
  const part: unknown = Reflect.get(parts, name);
  return typeof part === "string" ? part : "";
}

/** Returns a query parameter; the last one if it is repeated. */
export function queryPart(call: Call, name: string): string | undefined {
  const at = call.request.url.indexOf("?");
  if (at < 0) return undefined;
  return new URLSearchParams(call.request.url.slice(at + 1)).getAll(name).at(-1);
}

/** Returns a header's value; undefined if it is missing. */
export function header(call: Call, name: string): string | undefined {
  const value = call.request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The type of a form with files. */
export const FORM_TYPE = "multipart/form-data";

/** Returns the raw `Content-Type` without its parameters. No call but an append decides by it (rule M10). */
export function contentType({ request }: Call): string | undefined {
  const [type] = request.raw.headersDistinct["content-type"] ?? [];
  return type?.split(";")[0]?.trim().toLowerCase();
}

/** Returns a signal that aborts when the relay stops, or when the caller hangs up before it has its answer. */
export function nobodyWaits({ reply, stopping }: Call): AbortSignal {
  const hangUp = new AbortController();
  reply.raw.once("close", () => hangUp.abort());
  return AbortSignal.any([stopping, hangUp.signal]);
}
