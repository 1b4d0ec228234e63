import { MANIFEST_SCHEMA } from "../../../core/manifest/schema.ts";
import {
  type HelloAnswer,
  IMPORTER_APIS,
  REGISTRATION_KEY_HEADER,
} from "../../../core/protocol/importer-api.ts";
import { timeText } from "../../../core/time.ts";
import { VERSION } from "../../../core/version.ts";
import {
  noteClock,
  noteReserve,
  recordProblems,
  tryStores,
} from "../../domain/upkeep/check-health.ts";
import type { Health } from "../../domain/upkeep/health.ts";
import { claimPairing } from "../../domain/pairing/pair.ts";
import { registerDevice } from "../../domain/pairing/devices.ts";
import { StoresAwayError } from "../answer-refusal.ts";
import { type Answer, type Call, header, nobodyWaits } from "../call.ts";
import { noteSubject } from "../call-log.ts";
import { stoppingRefusal } from "../draining.ts";
import { claimantOf } from "../auth/callers.ts";
import { readJson, readOptionalJson } from "../read-body.ts";

// The calls that need no token.

export async function claim(call: Call): Promise<Answer> {
  const { appToken, deviceName, deviceId, pairingId } = await claimPairing(call.context, {
    claimant: claimantOf(call.request),
    read: () => readJson(call),
    key: header(call, "idempotency-key"),
    stopped: nobodyWaits(call),
  });
  noteSubject(call.request, { device: deviceId, app: pairingId });
  return { status: 200, body: { app_token: appToken, device_name: deviceName } };
}

export async function hello({ context }: Call): Promise<Answer> {
  const { instanceId, clock } = context;
  const body: HelloAnswer = {
    service: "soundferry",
    version: VERSION,
    importer_api: IMPORTER_APIS,
    now: timeText(clock.now()),
    ...(instanceId !== undefined && { instance: instanceId }),
  };
  return { status: 200, body };
}

export async function register(call: Call): Promise<Answer> {
  const { deviceId, importerToken } = await registerDevice(call.context, {
    read: () => readOptionalJson(call),
    key: header(call, REGISTRATION_KEY_HEADER),
    address: call.request.ip,
  });
  noteSubject(call.request, { device: deviceId });
  return { status: 201, body: { device_id: deviceId, importer_token: importerToken } };
}

const SCHEMA_JSON = JSON.stringify(MANIFEST_SCHEMA, null, 2);

export async function manifestSchema(): Promise<Answer> {
  return { status: 200, json: SCHEMA_JSON };
}

export async function healthz(): Promise<Answer> {
  return { status: 200, body: { status: "ok" } };
}

/**
 * Answers 200 if the stores can be read and changed (rule K4), also while the disk is full (rule Z7). `degraded` or
 * `reason` names a problem (rule K10).
 */
export async function readyz({ context }: Call): Promise<Answer> {
  if (context.health.notices.has("draining")) {
    const notices = [...context.health.notices.values()];
    throw stoppingRefusal({ reason: "draining", notices });
  }
  const trouble = await tryStores(context);
  noteClock(context);
  await recordProblems(context);
  if (trouble === undefined) noteReserve(context, await context.sounds.room());
  const { notices } = context.health;
  const sentences = [...notices.values()];
  if (trouble !== undefined) throw new StoresAwayError(trouble, sentences);
  return { status: 200, body: { status: "ready", ...degradedBy(notices), notices: sentences } };
}

function degradedBy(notices: Health["notices"]): {
  readonly degraded?: "full" | "damage" | "clock" | "newcomers";
} {
  if (notices.has("full") || notices.has("reserve")) return { degraded: "full" };
  const degraded = (["damage", "clock", "newcomers"] as const).find((one) => notices.has(one));
  return degraded ? { degraded } : {};
}
