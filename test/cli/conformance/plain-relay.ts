import { isJsonObject } from "../../../core/text/json-object.ts";
import { isShown } from "../../../cli/conformance/contract.ts";
import type { HttpCutter } from "../../sim/http-cutter.ts";
import { type Answered, type Asked, startBreakingProxy } from "./faults/breaking-proxy.ts";

/** A relay's decisions on what the public specification leaves open. */
export interface PlainShape {
  /** The id for a relay's, and back; letters of other kinds than this project's. */
  readonly idPrefix: string;
  /** The status of a refusal whose status isn't shown. */
  readonly refusal: number;
  /** The status of a call without a token. */
  readonly noToken: number;
  /** The body of a success that isn't shown. */
  readonly silent: object | null | undefined;
  readonly silentStatus: number;
  readonly warning: (warning: { code: string; message: string }) => unknown;
  readonly pairedAt: unknown;
  /** Members that every answer has beside the shown ones. */
  readonly more: object;
  /** The origin that may read: any, or the one that asks, and only if one asks. */
  readonly origin: "any" | "asking";
  /** The answer at an address that the specification doesn't show. */
  readonly nowhere: Buffer;
  /** A relay may insist on what the specification shows: a JSON type for JSON calls. */
  readonly isStrict: boolean;
  readonly upload: (path: string) => string;
  /** A withdrawn package's status. */
  readonly withdrawn: 404 | "expired";
}

const PLAIN: PlainShape = {
  idPrefix: "no-",
  refusal: 403,
  noToken: 401,
  silent: undefined,
  silentStatus: 200,
  warning: ({ message }) => message,
  pairedAt: 1_796_000_000,
  more: {},
  origin: "any",
  nowhere: Buffer.from('{"error":"Nothing here."}'),
  isStrict: false,
  upload: (path) => path,
  withdrawn: 404,
};

/** Relays that differ in all that the specification leaves open. */
export const PLAIN_SHAPES = {
  terse: PLAIN,
  talkative: {
    ...PLAIN,
    idPrefix: "8f1c.A_~",
    refusal: 400,
    noToken: 400,
    silent: { ok: true, links: [] },
    silentStatus: 202,
    warning: ({ code, message }) => ({ level: 3, about: { code }, says: [message] }),
    pairedAt: { seconds: 1_796_000_000 },
    more: { version: "9", debug: null, links: { self: "/" } },
    origin: "asking",
    nowhere: Buffer.from("<html><body><h1>404 Not Found</h1></body></html>"),
    isStrict: true,
    upload: decodeURIComponent,
    withdrawn: "expired",
  },
  silent: {
    ...PLAIN,
    idPrefix: "7",
    refusal: 418,
    noToken: 403,
    silentStatus: 204,
    warning: () => null,
    pairedAt: "yesterday",
    more: { code: 17, expires_at: "soon" },
    nowhere: Buffer.alloc(0),
  },
} as const satisfies Readonly<Record<string, PlainShape>>;

/** Members that the public specification knows. */
const KNOWN =
  /^(error|app_token|device_name|app_name|paired_at|package_id|upload|warnings|status|results)$/;
/** Successes whose body the specification doesn't show; those of the first have a status. */
const SILENT = /\/(files\/[^/]+|commit)$/;
const WITHDRAWAL = /^\/packages\/[^/]+$/;

/**
 * Puts a relay in front of another that knows only the public specification, and decides otherwise wherever that leaves
 * something open: no importer's API, no codes, other ids, other statuses.
 */
export function startPlainRelay(relayUrl: string, shape: PlainShape): Promise<HttpCutter> {
  const withdrawn = new Set<string>();
  return startBreakingProxy(relayUrl, {
    ask: (asked) => passPlainly(asked, shape),
    answer: (answered, asked) => {
      const [, id = ""] = /^\/packages\/([^/]+)/.exec(asked.path) ?? [];
      if (asked.method === "DELETE" && answered.status < 300) withdrawn.add(id);
      const isGone = withdrawn.has(id) && asked.method === "GET" && answered.status === 404;
      if (isGone && shape.withdrawn !== 404) {
        answered.status = 200;
        answered.json = { status: shape.withdrawn };
      }
      answerPlainly(answered, asked, shape);
    },
  });
}

function passPlainly(asked: Asked, shape: PlainShape): Answered | undefined {
  const [path = ""] = asked.path.split("?");
  const { method } = asked;
  if (method === "OPTIONS" ? path.startsWith("/importer") : !isShown(method, path)) {
    return { status: 404, headers: {}, json: undefined, bytes: shape.nowhere };
  }
  const isJson = method === "POST" && Number(asked.headers["content-length"] ?? 0) > 0;
  if (shape.isStrict && isJson && asked.headers["content-type"] !== "application/json") {
    return { status: 415, headers: corsOf(asked, shape), json: { error: "JSON, please." } };
  }
  asked.path = path.replace(`/packages/${shape.idPrefix}`, "/packages/pkg_");
  return undefined;
}

function corsOf({ headers }: Asked, { origin }: PlainShape): Answered["headers"] {
  if (origin === "any") return { "access-control-allow-origin": "*" };
  const asking = headers["origin"];
  return asking === undefined ? {} : { "access-control-allow-origin": asking, vary: "Origin" };
}

function answerPlainly(answered: Answered, asked: Asked, shape: PlainShape): void {
  const { headers, status } = answered;
  const { method, path } = asked;
  const retryAfter = headers["retry-after"];
  const preflight = Object.entries(headers).filter(([name]) =>
    /^access-control-allow-(?!origin)/.test(name),
  );
  const isOpen = headers["access-control-allow-origin"] !== undefined;
  for (const name of Object.keys(headers)) delete headers[name];
  Object.assign(headers, Object.fromEntries(preflight), { "content-type": "application/json" });
  if (isOpen) Object.assign(headers, corsOf(asked, shape));
  if (retryAfter !== undefined) {
    headers["retry-after"] = retryAfter;
    headers["access-control-expose-headers"] = "Retry-After";
  }
  if (method === "OPTIONS") return;
  if (status < 300 && SILENT.test(path)) return fallSilent(answered, 200, shape);
  const isSilent = path === "/app/unpair" || (method === "DELETE" && WITHDRAWAL.test(path));
  if (status < 300 && isSilent) return fallSilent(answered, shape.silentStatus, shape);
  answered.status = openStatus(answered, asked, shape);
  if (!isJsonObject(answered.json)) return;
  answered.json = { ...shape.more, ...plainMembers(answered.json, shape) };
}

function plainMembers(json: Readonly<Record<string, unknown>>, shape: PlainShape): object {
  const members = Object.entries(json).filter(([name]) => KNOWN.test(name));
  const text = JSON.stringify(Object.fromEntries(members)).replaceAll(
    /(package_id":"|packages\/)pkg_/g,
    `$1${shape.idPrefix}`,
  );
  // oxlint-disable-next-line typescript/no-explicit-any -- an answer of any shape
  const plain: any = JSON.parse(text);
  if (Array.isArray(plain.warnings)) plain.warnings = plain.warnings.map(shape.warning);
  if (plain.paired_at !== undefined) plain.paired_at = shape.pairedAt;
  for (const [file, at] of Object.entries<string>(plain.upload ?? {})) {
    plain.upload[file] = shape.upload(at);
  }
  return plain;
}

function fallSilent(answered: Answered, status: number, { silent }: PlainShape): void {
  answered.status = status;
  answered.json = status === 204 ? undefined : silent;
  if (answered.json !== undefined) return;
  answered.bytes = Buffer.alloc(0);
  answered.headers["content-length"] = "0";
}

/** Another status where the specification shows none. */
function openStatus({ status, json }: Answered, { path }: Asked, shape: PlainShape): number {
  if (json?.code === "TOKEN_MISSING") return shape.noToken;
  if (status < 400 || status === 401 || status === 429 || status >= 500) return status;
  const isShown =
    (path === "/pair/claim" && status === 404) ||
    (path === "/packages" && status === 422) ||
    (path.endsWith("/commit") && status === 409);
  return isShown ? status : shape.refusal;
}
