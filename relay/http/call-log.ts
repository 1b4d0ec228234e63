import type { FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { MAX_CLIENT_LENGTH } from "../../core/limits.ts";
import { roughNetworkOf } from "../../core/quotas/address-tiers.ts";
import type { Refusal } from "../../core/protocol/refusal.ts";
import { shorten } from "../../core/text/shorten.ts";
import { idsOf, isCounted } from "./auth/callers.ts";
import type { LineSampler } from "./line-sampler.ts";
import { randomBytes } from "node:crypto";

/** A slower call is logged even if it succeeds, except a long poll, which is slow by design. */
const SLOW_MS = 1000;
const MAX_PATH_LENGTH = 200;
/** No address is longer, also with a zone. */
const MAX_ADDRESS_LENGTH = 64;

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
const REFUSED = Symbol("refused");

/** Properties, not a WeakMap: that would keep every call's memory until the next full collection. */
type NotedCall = FastifyRequest["raw"] & { [SUBJECT]?: CallSubject; [REFUSED]?: string };

/** Adds ids to a call's log line, besides those of its token. */
export function noteSubject({ raw }: { readonly raw: NotedCall }, subject: CallSubject): void {
  raw[SUBJECT] = { ...raw[SUBJECT], ...subject };
}

/** Remembers a call's refusal, for the count of lines that were left out. */
export function noteRefusal({ raw }: { readonly raw: NotedCall }, { code }: Refusal): void {
  raw[REFUSED] = code;
}

function refusalOf({ raw }: { readonly raw: NotedCall }): string | undefined {
  return raw[REFUSED];
}

export function subjectOf({ raw }: { readonly raw: NotedCall }): CallSubject {
  return { ...idsOf(raw), ...raw[SUBJECT] };
}

interface CallLogDeps {
  readonly log: Logger;
  readonly addresses: LoggedAddresses;
  readonly sampler: LineSampler;
}

/** An upgrade that was refused. Fastify never sees it. */
interface RefusedUpgrade {
  readonly requestId: string;
  readonly url: string;
  /** The client's. */
  readonly address: string;
  readonly refused: Refusal;
  /** True if a call with a valid token was counted for it (rule L1). */
  readonly isCounted: boolean;
}

/**
 * Logs calls: refusals, changes and slow calls at `info` (5xx at `error`), other reads at `debug` (rules E2, AD10). Logs
 * only the path, without the name of a file, and never the query, a header or a body (rule A1). Calls that L1 has not
 * counted are sampled (rule E8).
 */
export class CallLog {
  readonly #log: Logger;
  readonly #addresses: LoggedAddresses;
  readonly #sampler: LineSampler;
  /** True if plain reads have lines. The level never changes, and asking for it in each call costs. */
  readonly #logsReads: boolean;

  constructor({ log, addresses, sampler }: CallLogDeps) {
    this.#log = log;
    this.#addresses = addresses;
    this.#sampler = sampler;
    this.#logsReads = log.isLevelEnabled("debug");
  }

  /** Logs a finished call. */
  finished(request: FastifyRequest, status: number, ms: number): void {
    const isPlainRead = isRead(request) && status < 400 && !isSlow(request, ms);
    if (isPlainRead && !this.#logsReads) return;
    const level = isPlainRead ? "debug" : levelOf(status);
    if (!this.#log.isLevelEnabled(level)) return;
    const isWhole = isPlainRead || isCounted(request.raw);
    const code = refusalOf(request);
    if (!isWhole && !this.#admits(request.ip, status, code)) return;
    this.#log[level](
      {
        request_id: request.id,
        method: request.method,
        path: loggedPath(request.url),
        status,
        ms: Math.round(ms * 10) / 10,
        client: clientOf(request),
        address: loggedAddress(request.ip, this.#addresses),
        package: packageOf(request),
        ...subjectOf(request),
      },
      "call",
    );
  }

  refusedUpgrade({ requestId, url, address, refused, isCounted }: RefusedUpgrade): void {
    const { status, code } = refused;
    const level = levelOf(status);
    if (!this.#log.isLevelEnabled(level)) return;
    if (!isCounted && !this.#admits(address, status, code)) return;
    this.#log[level](
      {
        request_id: requestId,
        path: loggedPath(url),
        status,
        address: loggedAddress(address, this.#addresses),
      },
      "refused upgrade",
    );
  }

  #admits(address: string, status: number, code: string | undefined): boolean {
    const kind = status < 400 ? "done" : status < 500 ? "refused" : "trouble";
    const what = code === undefined ? String(status) : `${status} ${code}`;
    return this.#sampler.admits(kind, networkOf(address), what);
  }
}

function levelOf(status: number): "error" | "info" {
  return status >= 500 ? "error" : "info";
}

function isSlow(request: FastifyRequest, elapsedMs: number): boolean {
  return elapsedMs > SLOW_MS && !isLongPoll(request);
}

/** Checks whether a call only reads; a preflight does. */
export function isRead({ method }: FastifyRequest): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
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
 * Returns the path of a URL as it may be logged: cut, without a query, and without the name of a file, which is a
 * person's own words. No route has to know the path: encoded slashes and question marks count, too.
 */
export function loggedPath(url: string): string {
  const end = url.search(/[?#]|%(?:3f|23)/i);
  const path = printable(shorten(end < 0 ? url : url.slice(0, end), MAX_PATH_LENGTH));
  // Two patterns, because one would take quadratic time for a long path.
  return path.replace(/packages.*/i, (rest) => rest.replace(/(files\W).+/i, "$1*"));
}

function printable(text: string): string {
  return text.replaceAll(/\p{C}/gu, " ");
}

/** Returns as much of an address as may be logged; undefined for nothing. */
function loggedAddress(address: string, addresses: LoggedAddresses): string | undefined {
  if (addresses === "off") return undefined;
  return addresses === "full" ? bounded(address) : networkOf(address);
}

function networkOf(address: string): string {
  return bounded(roughNetworkOf(address));
}

/** A trusted proxy may forward a long text that is no address. */
function bounded(address: string): string {
  return printable(shorten(address, MAX_ADDRESS_LENGTH));
}

/** Returns the package that the path names, if it looks like one. */
function packageOf(request: FastifyRequest): string | undefined {
  return /\/packages\/(pkg_[\w-]{22})(?:[/?]|$)/.exec(request.url)?.[1];
}

/** Returns `X-Service-Client`, sanitized and truncated (rule E4). */
function clientOf(request: FastifyRequest): string | undefined {
  const client = request.headers["x-service-client"];
  if (typeof client !== "string") return undefined;
  return printable(client).slice(0, MAX_CLIENT_LENGTH);
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
