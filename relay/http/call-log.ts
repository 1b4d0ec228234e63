import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { MAX_CLIENT_LENGTH } from "../../core/limits.ts";
import { roughNetworkOf } from "../../core/quotas/address-tiers.ts";
import { idsOf } from "./auth/callers.ts";
import { randomBytes } from "node:crypto";

/** A slower call is logged even if it succeeds, except a long poll, which is slow by design. */
const SLOW_MS = 1000;

/** The choices of how much of a client's address is logged (rule AD10). */
export const LOGGED_ADDRESSES = ["full", "truncated", "off"] as const;
export type LoggedAddresses = (typeof LOGGED_ADDRESSES)[number];

/** The ids of a call's device, app and package. `app` is the app's pairing. */
interface CallSubject {
  readonly device?: string;
  readonly app?: string;
  readonly package?: string;
}

const SUBJECT = Symbol("subject");

/** A property, not a WeakMap: that would keep every call's memory until the next full collection. */
type NotedCall = FastifyRequest["raw"] & { [SUBJECT]?: CallSubject };

/** Adds ids to a call's log line, besides those of its token. */
export function noteSubject({ raw }: { readonly raw: NotedCall }, subject: CallSubject): void {
  raw[SUBJECT] = { ...raw[SUBJECT], ...subject };
}

export function subjectOf({ raw }: { readonly raw: NotedCall }): CallSubject {
  return { ...idsOf(raw), ...raw[SUBJECT] };
}

/**
 * Logs one finished call: refusals, changes and slow calls at `info` (5xx at `error`), other reads at `debug`
 * (rules E2, AD10). Logs only the path, without the name of a file, and never the query, a header or a body (rule A1).
 */
export function logCall(
  log: Logger,
  addresses: LoggedAddresses,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { statusCode, elapsedTime } = reply;
  const isPlainRead = isRead(request) && statusCode < 400 && !isSlow(request, elapsedTime);
  const level = isPlainRead ? "debug" : statusCode >= 500 ? "error" : "info";
  if (!log.isLevelEnabled(level)) return;
  log[level](
    {
      request_id: request.id,
      method: request.method,
      path: loggedPath(request.url),
      status: statusCode,
      ms: Math.round(elapsedTime * 10) / 10,
      client: clientOf(request),
      address: loggedAddress(request.ip, addresses),
      package: packageOf(request),
      ...subjectOf(request),
    },
    "call",
  );
}

function isSlow(request: FastifyRequest, elapsedMs: number): boolean {
  return elapsedMs > SLOW_MS && !isLongPoll(request);
}

/** Checks whether a call only reads. */
export function isRead({ method }: FastifyRequest): boolean {
  return method === "GET" || method === "HEAD";
}

/** Checks whether a call asked to be held (rule S8). */
export function isLongPoll({ url }: FastifyRequest): boolean {
  return url.includes("wait=");
}

/** Returns the path of a URL without its query. */
export function pathOf(url: string): string {
  const end = url.indexOf("?");
  return end < 0 ? url : url.slice(0, end);
}

/**
 * Returns the path of a URL as it may be logged, without the name of a file, which is a person's own words. No route
 * has to know the path: encoded slashes count, too.
 */
export function loggedPath(url: string): string {
  // Two patterns, because one would take quadratic time for a long path.
  return pathOf(url).replace(/packages.*/i, (rest) => rest.replace(/(files\W).+/i, "$1*"));
}

/** Returns as much of an address as may be logged; undefined for nothing. */
function loggedAddress(address: string, addresses: LoggedAddresses): string | undefined {
  if (addresses === "off") return undefined;
  return addresses === "full" ? address : roughNetworkOf(address);
}

/** Returns the package that the path names, if it looks like one. */
function packageOf(request: FastifyRequest): string | undefined {
  return /\/packages\/(pkg_[\w-]{22})(?:[/?]|$)/.exec(request.url)?.[1];
}

/** Returns `X-Service-Client`, sanitized and truncated (rule E4). */
function clientOf(request: FastifyRequest): string | undefined {
  const client = request.headers["x-service-client"];
  if (typeof client !== "string") return undefined;
  return client.replaceAll(/\p{C}/gu, " ").slice(0, MAX_CLIENT_LENGTH);
}

/** Returns a maker of ids that are unique across restarts and cheap to create (rule E2). */
export function requestIds(): () => string {
  const prefix = randomBytes(6).toString("base64url");
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}
