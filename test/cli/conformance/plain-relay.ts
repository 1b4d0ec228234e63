import { isJsonObject } from "../../../core/text/json-object.ts";
import type { HttpCutter } from "../../sim/http-cutter.ts";
import { type Answered, type Asked, startBreakingProxy } from "./faults/breaking-proxy.ts";

/** Members that the public specification knows. */
const KNOWN =
  /^(error|app_token|device_name|app_name|paired_at|package_id|upload|warnings|status|results)$/;
/** Successes whose body the specification doesn't show. */
const SILENT = /\/(commit|unpair)$/;

/**
 * Puts a relay in front of another that knows only the public specification, and decides otherwise wherever that leaves
 * something open: no importer's API, no codes, other ids, other statuses, warnings as texts.
 */
export function startPlainRelay(relayUrl: string): Promise<HttpCutter> {
  return startBreakingProxy(relayUrl, { ask: passPlainly, answer: answerPlainly });
}

function passPlainly(asked: Asked): Answered | undefined {
  const [path = ""] = asked.path.split("?");
  const isOpen = asked.method === "OPTIONS" && !path.startsWith("/importer");
  const isKnown =
    isOpen ||
    /^(POST \/pair\/claim|GET \/app\/me|POST \/app\/unpair|POST \/packages)$/.test(
      `${asked.method} ${path}`,
    ) ||
    /^(PUT \S+\/files\/[^/]+|POST \S+\/commit|GET \S+\/status|DELETE \/packages\/[^/]+)$/.test(
      `${asked.method} ${path}`,
    );
  const headers = { "access-control-allow-origin": "*", "content-type": "application/json" };
  if (!isKnown) return { status: 404, headers, json: { error: "Nothing here." } };
  asked.path = path.replace("/packages/no-", "/packages/pkg_");
  return undefined;
}

function answerPlainly(answered: Answered, { method, path }: Asked): void {
  const { headers, status } = answered;
  const retryAfter = headers["retry-after"];
  const preflight = Object.entries(headers).filter(([name]) =>
    name.startsWith("access-control-allow"),
  );
  for (const name of Object.keys(headers)) delete headers[name];
  Object.assign(headers, Object.fromEntries(preflight), { "content-type": "application/json" });
  if (retryAfter !== undefined) {
    headers["retry-after"] = retryAfter;
    headers["access-control-expose-headers"] = "Retry-After";
  }
  if (method === "OPTIONS") return;
  if (status < 300 && (method === "PUT" || SILENT.test(path))) return silence(answered, 200);
  if (status < 300 && method === "DELETE") return silence(answered, 204);
  answered.status = openStatus(answered, method, path);
  if (!isJsonObject(answered.json)) return;
  const members = Object.entries<unknown>(answered.json).filter(([name]) => KNOWN.test(name));
  const text = JSON.stringify(Object.fromEntries(members)).replaceAll(
    /(package_id":"|packages\/)pkg_/g,
    "$1no-",
  );
  answered.json = JSON.parse(text);
  if (Array.isArray(answered.json.warnings)) {
    answered.json.warnings = answered.json.warnings.map(
      ({ message }: { message: string }) => message,
    );
  }
  if (answered.json.paired_at !== undefined) answered.json.paired_at = 1_796_000_000;
}

function silence(answered: Answered, status: number): void {
  answered.status = status;
  answered.json = undefined;
  answered.bytes = Buffer.alloc(0);
  answered.headers["content-length"] = "0";
}

/** Another status where the specification shows none. */
function openStatus({ status }: Answered, method: string, path: string): number {
  if (status < 400 || status === 401 || status === 429 || status >= 500) return status;
  const isShown =
    (path === "/pair/claim" && status === 404) ||
    (path === "/packages" && status === 422) ||
    (path.endsWith("/commit") && status === 409);
  if (isShown) return status;
  return method === "PUT" ? 418 : 403;
}
