import { MAX_WAIT_SECONDS, RETRY_STOPPING_SECONDS } from "../../../core/limits.ts";
import type { MeAnswer } from "../../../core/protocol/public-api.ts";
import { timeText } from "../../../core/time.ts";
import { type Eventual, whenThere } from "../../../core/eventual.ts";
import { announcePackage } from "../../domain/packages/announce.ts";
import { commitPackage } from "../../domain/packages/commit-package.ts";
import type { KnownApp } from "../../domain/pairing/known-tokens.ts";
import {
  awaitStatus,
  readStatus,
  statusAnswer,
  timesOf,
} from "../../domain/packages/read-status.ts";
import { listOwn } from "../../domain/packages/list-own.ts";
import { readPackagesLeft, readRoom } from "../../domain/packages/room-left.ts";
import { withdraw } from "../../domain/packages/withdraw-package.ts";
import { unpairToken } from "../../domain/pairing/unpair.ts";
import { type Answer, type Call, header, nobodyWaits, pathPart, queryPart } from "../call.ts";
import { noteSubject } from "../call-log.ts";
import { parseJson, readBody } from "../read-body.ts";

// The app's calls.

export async function me({ context, caller }: Call, app: KnownApp): Promise<Answer> {
  const { deviceName, appName, pairedAt } = app;
  const body: MeAnswer = {
    device_name: deviceName,
    app_name: appName,
    paired_at: timeText(pairedAt),
    room: await readRoom(context, app, caller),
  };
  return { status: 200, body };
}

export async function unpair({ context }: Call, app: KnownApp): Promise<Answer> {
  await unpairToken(context, app);
  return { status: 200, body: {} };
}

export async function list(call: Call, app: KnownApp): Promise<Answer> {
  await showPackagesLeft(call, app);
  const after = queryPart(call, "after") ?? "";
  const body = await listOwn(call.context, app, { after, status: queryPart(call, "status") });
  return { status: 200, body };
}

export async function announce(call: Call, app: KnownApp): Promise<Answer> {
  // Before any of the body is read, because the switch is for emergencies.
  call.context.operator.requireOn("announcements");
  const body = await readBody(call);
  const request = {
    body,
    parse: () => parseJson(call, body),
    idempotencyKey: header(call, "idempotency-key"),
    address: call.request.ip,
  };
  try {
    const { json, packageId } = await announcePackage(call.context, app, request);
    if (packageId !== undefined) noteSubject(call.request, { package: packageId });
    return { status: 201, json };
  } finally {
    await showPackagesLeft(call, app);
  }
}

export async function commit(call: Call, app: KnownApp): Promise<Answer> {
  const record = await commitPackage(call.context, app, pathPart(call, "id"));
  return { status: 200, body: statusAnswer(record, timesOf(call.context)) };
}

export function status(call: Call, app: KnownApp): Eventual<Answer> {
  const waitMs = parseWait(queryPart(call, "wait")) * 1000;
  if (waitMs > 0) return holdStatus(call, app, waitMs);
  const read = readStatus(call.context, app, pathPart(call, "id"));
  return whenThere(read, (json) => ({ status: 200, json }));
}

async function holdStatus(call: Call, app: KnownApp, waitMs: number): Promise<Answer> {
  const id = pathPart(call, "id");
  const json = await awaitStatus(call.context, app, id, {
    known: queryPart(call, "known"),
    waitMs,
    caller: call.caller,
    stopped: nobodyWaits(call),
  });
  if (call.stopping.aborted) call.reply.header("retry-after", RETRY_STOPPING_SECONDS);
  return { status: 200, json };
}

/** Whole or fractional seconds, clamped to 0–`MAX_WAIT_SECONDS`. Anything else is 0 (rule S8). */
function parseWait(text: string | undefined): number {
  const seconds = Number(text);
  return Number.isNaN(seconds) ? 0 : Math.min(MAX_WAIT_SECONDS, Math.max(0, seconds));
}

export async function withdrawPackage(call: Call, app: KnownApp): Promise<Answer> {
  await withdraw(call.context, app, pathPart(call, "id"));
  return { status: 200, body: {} };
}

/** Adds the rest of the limit of packages to the rate limit headers (rule L1), unless the stores can't tell it. */
async function showPackagesLeft(call: Call, app: KnownApp): Promise<void> {
  const left = await readPackagesLeft(call.context, app).catch(() => undefined);
  if (left === undefined) return;
  const { max, remaining, seconds } = left;
  addItem(call, "ratelimit-policy", `"packages";q=${max};w=3600`);
  addItem(call, "ratelimit", `"packages";r=${remaining};t=${seconds}`);
}

function addItem({ reply }: Call, name: string, item: string): void {
  reply.header(name, `${String(reply.getHeader(name))}, ${item}`);
}
