import type { FastifyReply, FastifyRequest } from "fastify";
import type { Timers } from "../../core/timers.ts";
import type { Caller } from "../domain/caller.ts";
import type { Context } from "../domain/context.ts";
import type { KnownApp } from "../domain/pairing/known-tokens.ts";
import type { DeviceRecord } from "../domain/ports.ts";
import type { Operation } from "./contract/openapi/operation.ts";
import type { Work } from "./draining.ts";

/** What a handler gets from the HTTP layer. */
export interface Call {
  readonly context: Context;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Who calls, once the token was checked; until then a stranger. */
  readonly caller: Caller;
  /** A sender that is silent for this long is disconnected (rule U5). */
  readonly idleMs: number;
  /** Measure that silence. */
  readonly timers: Timers;
  readonly pages: { readonly hasClient: boolean; readonly hasViewer: boolean };
  /** Aborts when a call that waits must be answered, because the relay stops (rule K11). */
  readonly stopping: AbortSignal;
}

/** A handler's answer: a JSON value, JSON text, text of another type, or no body. */
export type Answer =
  | { readonly status: number; readonly body: object }
  | JsonText
  | OtherText
  | { readonly status: 204 };
export interface JsonText {
  readonly status: number;
  readonly json: string;
}
export interface OtherText {
  readonly status: number;
  readonly text: string;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
}
/** Returned by a handler that writes its own response. */
export const ANSWERED = Symbol("answered");

export type HttpMethod = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
type Handled = Promise<Answer | typeof ANSWERED>;

/** One line of the API: who may call, the path, the handler, and the contract's description. */
export type Route = {
  readonly method: HttpMethod;
  readonly path: string;
  readonly operation: Operation;
  /** Nothing to a relay that stops, unless this says so. */
  readonly work?: Work | undefined;
} & (
  | { readonly auth: "open"; readonly handle: (call: Call) => Handled }
  | { readonly auth: "app"; readonly handle: (call: Call, app: KnownApp) => Handled }
  | { readonly auth: "importer"; readonly handle: (call: Call, device: DeviceRecord) => Handled }
);

/** A path parameter, percent-decoded; empty if the route has none of that name. */
export function pathPart(call: Call, name: "id" | "file" | "pairing_id"): string {
  const parts: unknown = call.request.params;
  if (typeof parts !== "object" || parts === null) return "";
  const part: unknown = Reflect.get(parts, name);
  return typeof part === "string" ? part : "";
}

/** A query parameter; the last one if it is repeated. */
export function queryPart(call: Call, name: string): string | undefined {
  const at = call.request.url.indexOf("?");
  if (at < 0) return undefined;
  return new URLSearchParams(call.request.url.slice(at + 1)).getAll(name).at(-1);
}

/** A header's value; undefined if it is missing. */
export function header(call: Call, name: string): string | undefined {
  const value = call.request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
