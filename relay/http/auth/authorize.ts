import type { IncomingHttpHeaders } from "node:http";
import { IMPORTER_APIS, IMPORTER_HEADER } from "../../../core/protocol/importer-api.ts";
import { type Refusal, refusal } from "../../../core/protocol/refusal.ts";
import { type Context, MINUTE_MS } from "../../domain/context.ts";
import { type Eventual, whenThere } from "../../../core/eventual.ts";
import type { KnownApp } from "../../domain/pairing/known-tokens.ts";
import type { DeviceRecord, Verdict } from "../../domain/ports.ts";
import { bearerToken, tokenOf } from "./bearer-token.ts";
import { noteCaller, noteCounted } from "./callers.ts";
import { isRead } from "../call-log.ts";
import type { Call, Handled, Route } from "../call.ts";

/**
 * Authorizes a call and passes it to its route's handler. Checks the version (importers), then the token,
 * then the rate limit, all before it reads any of the body (rules I4, A2, L1).
 */
export function authorizeAndHandle(call: Call, route: Route): Handled {
  switch (route.auth) {
    case "open":
      // A GET that is open to all is no guess and has no body.
      if (route.method !== "GET") call.context.admission.refused.judge(call.caller);
      if (route.path === "/importer/register") refuseOldImporter(call.request.headers);
      return route.handle(call);
    case "app":
      return whenThere(authorizeApp(call), (app) => route.handle(call, app));
    case "importer":
      return whenThere(authorizeImporter(call), (device) => route.handle(call, device));
  }
}

function authorizeApp(call: Call): Eventual<KnownApp> {
  const { context, request } = call;
  return whenThere(context.known.app(tokenOf(request.raw)), (app) => {
    noteCaller(request.raw, { app });
    context.operator.admitDevice(app.deviceId);
    const { appCallsPerMinute: max = context.policy.callsPerMinute } = context.policy;
    return whenThere(countOf(context, max, app.tokenHash, [app.deviceId]), (counted) => {
      admitCounted(call, max, counted);
      judgeRefused(call);
      return app;
    });
  });
}

async function authorizeImporter(call: Call): Promise<DeviceRecord> {
  const { context, request } = call;
  const device = await authenticateImporter(context, request.headers, request.ip);
  noteCaller(request.raw, { device });
  const max = context.policy.callsPerMinute;
  admitCounted(call, max, await countOf(context, max, device.deviceId));
  judgeRefused(call);
  return device;
}

/**
 * Judges the caller's refused calls before any of the body is read (rule L9). Reading calls pass: refused or not, they
 * cost the same.
 */
function judgeRefused(call: Call): void {
  // The caller is worked out only where it matters, because that takes time in every call.
  if (!isRead(call.request)) call.context.admission.refused.judge(call.caller);
}

/**
 * Authenticates an importer by its headers, when it connects and again later.
 * @param address the client's
 * @throws {Refusal} 426 IMPORTER_TOO_OLD, 401 TOKEN_MISSING or IMPORTER_UNKNOWN, 403 ADDRESS_BLOCKED or DEVICE_BLOCKED
 */
export async function authenticateImporter(
  { known, operator }: Context,
  headers: IncomingHttpHeaders,
  address: string,
): Promise<DeviceRecord> {
  operator.admitAddress(address);
  refuseOldImporter(headers);
  const device = await known.device(bearerToken(headers));
  operator.admitDevice(device.deviceId);
  return device;
}

/** @throws {Refusal} 426 when the importer names an unsupported API version; it may name none */
function refuseOldImporter(headers: IncomingHttpHeaders): void {
  const api = importerApiOf(headers);
  if (api === undefined || IMPORTER_APIS.some((supported) => supported === api)) return;
  throw refusal("IMPORTER_TOO_OLD", {}, { body: { importer_api: IMPORTER_APIS } });
}

/** Returns the API version that an importer names; undefined if it names none. */
export function importerApiOf(headers: IncomingHttpHeaders): number | undefined {
  const api = /;\s*api=(\d+)/.exec(String(headers[IMPORTER_HEADER] ?? ""))?.[1];
  return api === undefined ? undefined : Number(api);
}

/** @throws {Refusal} 429 CALLS_TOO_MANY */
function admitCounted(
  { request, reply }: Call,
  max: number,
  { allowed, remaining, retryAfterSeconds: seconds }: Verdict,
): void {
  reply.header("ratelimit-policy", policyText(max));
  reply.header("ratelimit", `"calls";r=${remaining};t=${seconds}`);
  if (!allowed) throw callsTooMany(seconds);
  noteCounted(request.raw);
}

/** The settings have two limits of calls. Their texts are made once, because every call has one. */
const policyTexts = new Map<number, string>();

function policyText(max: number): string {
  let text = policyTexts.get(max);
  if (text === undefined) policyTexts.set(max, (text = `"calls";q=${max};w=60`));
  return text;
}

/** Counts a call without an answer of its own, such as a socket's. @throws {Refusal} 429 CALLS_TOO_MANY (rule L1) */
export async function countUpgrade(context: Context, { deviceId }: DeviceRecord): Promise<void> {
  const max = context.policy.callsPerMinute;
  const { allowed, retryAfterSeconds } = await countOf(context, max, deviceId);
  if (!allowed) throw callsTooMany(retryAfterSeconds);
}

function countOf(
  { limits }: Context,
  max: number,
  key: string,
  parents: readonly string[] = [],
): Eventual<Verdict> {
  return limits.take([{ bucket: "calls", key, window: { max, windowMs: MINUTE_MS }, parents }]);
}

function callsTooMany(seconds: number): Refusal {
  return refusal("CALLS_TOO_MANY", { seconds }, { retryAfterSeconds: seconds });
}
