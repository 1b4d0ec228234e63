import {
  FOLLOWS_HEADER,
  FOLLOWS_REDIRECT,
  type ImporterMeAnswer,
} from "../../../core/protocol/importer-api.ts";
import { statusOf } from "../../../core/protocol/package-state.ts";
import { secondsUntil, timeText } from "../../../core/time.ts";
import { removeDevice, renameDevice } from "../../domain/pairing/devices.ts";
import { payCode } from "../../domain/admission/prices.ts";
import { findImportable } from "../../domain/packages/list-importable.ts";
import { endPairingCode, issuePairingCode } from "../../domain/pairing/pair.ts";
import { answerPairingRequest, readPairingRequest } from "../../domain/pairing/pairing-consent.ts";
import type { DeviceRecord, PackageRecord } from "../../domain/ports.ts";
import { networkOf } from "../../domain/pairing/pairing-guesses.ts";
import { reportResults, takePackage } from "../../domain/packages/import-package.ts";
import { watchDownload } from "../../domain/uploads/running-transfers.ts";
import { listApps, unpairApp } from "../../domain/pairing/unpair.ts";
import { isJsonObject } from "../../../core/text/json-object.ts";
import { type Answer, ANSWERED, type Call, header, pathPart } from "../call.ts";
import { noteSubject } from "../call-log.ts";
import { claimantOf } from "../auth/callers.ts";
import { readJson, readOptionalJson } from "../read-body.ts";
import { authenticateImporter } from "../auth/authorize.ts";
import { sendFile } from "../send-file.ts";

// The importer's calls (rules P2, P7, P8, I1, I2).

/** Answers with the device and its network. Behind a proxy, the network shows whether addresses are forwarded. */
export async function me({ request }: Call, { deviceName }: DeviceRecord): Promise<Answer> {
  const body: ImporterMeAnswer = {
    device_name: deviceName,
    network: networkOf(claimantOf(request)),
  };
  return { status: 200, body };
}

export async function rename(call: Call, device: DeviceRecord): Promise<Answer> {
  const request = await readJson(call);
  const name = isJsonObject(request) ? request["device_name"] : undefined;
  const deviceName = await renameDevice(call.context, device.deviceId, name);
  return { status: 200, body: { device_name: deviceName } };
}

export async function remove({ context }: Call, device: DeviceRecord): Promise<Answer> {
  await removeDevice(context, device.deviceId);
  return { status: 200, body: {} };
}

export async function issueCode({ context, caller }: Call, device: DeviceRecord): Promise<Answer> {
  await payCode(context, caller);
  const { code, expiresAt } = await issuePairingCode(context, device.deviceId);
  return { status: 201, body: { code, ...expiry(expiresAt, context.clock.now()) } };
}

export async function endCode({ context }: Call, device: DeviceRecord): Promise<Answer> {
  await endPairingCode(context, device.deviceId);
  return { status: 200, body: {} };
}

export async function pairingRequest({ context }: Call, device: DeviceRecord): Promise<Answer> {
  return { status: 200, body: await readPairingRequest(context, device.deviceId) };
}

export async function answerPairing(call: Call, device: DeviceRecord): Promise<Answer> {
  await answerPairingRequest(call.context, device.deviceId, await readJson(call));
  return { status: 200, body: {} };
}

export async function apps({ context }: Call, device: DeviceRecord): Promise<Answer> {
  const pairings = await listApps(context, device.deviceId);
  return {
    status: 200,
    body: {
      apps: pairings.map((pairing) => ({
        pairing_id: pairing.pairingId,
        app_name: pairing.appName,
        paired_at: timeText(pairing.pairedAt),
        last_seen_at: timeText(pairing.lastSeenAt),
        waiting_packages: pairing.waitingPackages,
      })),
    },
  };
}

export async function unpair(call: Call, device: DeviceRecord): Promise<Answer> {
  const pairingId = pathPart(call, "pairing_id");
  await unpairApp(call.context, device.deviceId, pairingId);
  noteSubject(call.request, { app: pairingId });
  return { status: 200, body: {} };
}

/** Answers with one package and its results. */
export async function readPackage(call: Call, device: DeviceRecord): Promise<Answer> {
  const body = await findImportable(call.context, device.deviceId, pathPart(call, "id"));
  return { status: 200, body };
}

export async function take(call: Call, device: DeviceRecord): Promise<Answer> {
  const request = await readOptionalJson(call);
  const { context } = call;
  const record = await takePackage(context, device.deviceId, pathPart(call, "id"), request);
  await noteApp(call, record);
  return { status: 200, body: expiry(record.life.lease?.endsAt ?? 0, context.clock.now()) };
}

/** Sends a file, or redirects an importer that follows redirects to the store's own address (rule SC15). */
export async function download(call: Call, device: DeviceRecord): Promise<typeof ANSWERED> {
  const { context, request } = call;
  using transfer = watchDownload(context, {
    deviceId: device.deviceId,
    packageId: pathPart(call, "id"),
    file: pathPart(call, "file"),
    authenticate: () => authenticateImporter(context, request.headers, request.ip),
  });
  const file = await transfer.found;
  const follows = request.method === "GET" && header(call, FOLLOWS_HEADER) === FOLLOWS_REDIRECT;
  const address = follows ? await file.address() : undefined;
  if (address !== undefined) {
    await call.reply.code(307).header("location", address).send();
    return ANSWERED;
  }
  using held = context.admission.take("downloads", call.caller, 1, (why) => transfer.end(why));
  await sendFile(call, file, { ended: transfer.ended, onPiece: (bytes) => held.moved(bytes) });
  return ANSWERED;
}

export async function report(call: Call, device: DeviceRecord): Promise<Answer> {
  const request = await readJson(call);
  const { context } = call;
  const record = await reportResults(context, device, pathPart(call, "id"), request);
  await noteApp(call, record);
  return { status: 200, body: { status: statusOf(record, context.clock.confirmedNow()) } };
}

/**
 * Notes for the log the app whose package was taken or reported, unless it was unpaired meanwhile (rule AD10). Never
 * fails: the change is made.
 */
async function noteApp(call: Call, { deviceId, appId }: PackageRecord): Promise<void> {
  const ofDevice = await call.context.pairings.listPairings(deviceId).catch(() => []);
  const app = ofDevice.find((each) => each.appId === appId)?.pairingId;
  if (app !== undefined) noteSubject(call.request, { app });
}

function expiry(endsAt: number, now: number): { expires_at: string; expires_in: number } {
  return { expires_at: timeText(endsAt), expires_in: secondsUntil(endsAt, now) };
}
