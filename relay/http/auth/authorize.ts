import type { IncomingHttpHeaders } from "node:http";
import { IMPORTER_APIS, IMPORTER_HEADER } from "../../../core/protocol/importer-api.ts";
import { refusal } from "../../../core/protocol/refusal.ts";
import { type Context, MINUTE_MS } from "../../domain/context.ts";
import type { KnownApp } from "../../domain/known-tokens.ts";
import type { DeviceRecord } from "../../domain/ports.ts";
import { type Answer, type ANSWERED, type Call, type Route } from "../call.ts";

/**
 * Authorizes a call and passes it to its route's handler. Checks the version (importers), then the token,
 * then the rate limit, all before it reads any of the body (rules I4, A2, L1).
 */
export async function authorizeAndHandle(
  call: Call,
  route: Route,
): Promise<Answer | typeof ANSWERED> {
  switch (route.auth) {
    case "open":
      if (route.path === "/importer/register") refuseOldImporter(call.request.headers);
      return route.handle(call);
    case "app":
      return route.handle(call, await authorizeApp(call));
    case "importer":
      return route.handle(call, await authorizeImporter(call));
  }
}

async function authorizeApp(call: Call): Promise<KnownApp> {
  const app = await call.context.known.app(bearerToken(call.request.headers));
  await countCall(call, app.tokenHash);
  return app;
}

async function authorizeImporter(call: Call): Promise<DeviceRecord> {
  const device = await authenticateImporter(call.context, call.request.headers);
  await countCall(call, device.deviceId);
  return device;
}

/** Authenticates an importer by its headers. @throws {Refusal} 426 IMPORTER_TOO_OLD, 401 IMPORTER_UNKNOWN */
export function authenticateImporter(
  { known }: Context,
  headers: IncomingHttpHeaders,
): Promise<DeviceRecord> {
  refuseOldImporter(headers);
  return known.device(bearerToken(headers));
}

/** The token of the `Authorization` header; empty, which is never valid, without that header (rule A2). */
function bearerToken({ authorization = "" }: IncomingHttpHeaders): string {
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? "";
}

/** @throws {Refusal} 426 when the importer names an unsupported API version; it may name none */
function refuseOldImporter(headers: IncomingHttpHeaders): void {
  const api = importerApiOf(headers);
  if (api === undefined || IMPORTER_APIS.some((supported) => supported === api)) return;
  throw refusal("IMPORTER_TOO_OLD", {}, { body: { importer_api: IMPORTER_APIS } });
}

/** The API version that an importer names; undefined if it names none. */
export function importerApiOf(headers: IncomingHttpHeaders): number | undefined {
  const api = /;\s*api=(\d+)/.exec(String(headers[IMPORTER_HEADER] ?? ""))?.[1];
  return api === undefined ? undefined : Number(api);
}

async function countCall({ context, reply }: Call, key: string): Promise<void> {
  const max = context.policy.callsPerMinute;
  const verdict = await context.limits.count("calls", key, { max, windowMs: MINUTE_MS });
  reply.header("ratelimit-policy", `"calls";q=${max};w=60`);
  reply.header("ratelimit", `"calls";r=${verdict.remaining};t=${verdict.retryAfterSeconds}`);
  if (verdict.allowed) return;
  const seconds = verdict.retryAfterSeconds;
  throw refusal("CALLS_TOO_MANY", { seconds }, { retryAfterSeconds: seconds });
}
