import { MANIFEST_SCHEMA } from "../../../core/manifest/schema.ts";
import { IMPORTER_APIS, REGISTRATION_KEY_HEADER } from "../../../core/protocol/importer-api.ts";
import { timeText } from "../../../core/time.ts";
import { VERSION } from "../../../core/version.ts";
import { claimPairing } from "../../domain/pair.ts";
import { registerDevice } from "../../domain/register-device.ts";
import { StoresAwayError } from "../answer-refusal.ts";
import { type Answer, type Call, header } from "../call.ts";
import { readJson, readOptionalJson } from "../read-body.ts";

// The calls that need no token.

export async function claim(call: Call): Promise<Answer> {
  const { appToken, deviceName } = await claimPairing(call.context, call.request.ip, () =>
    readJson(call),
  );
  return { status: 200, body: { app_token: appToken, device_name: deviceName } };
}

export async function hello({ context }: Call): Promise<Answer> {
  const now = timeText(context.clock.now());
  return {
    status: 200,
    body: { service: "soundferry", version: VERSION, importer_api: IMPORTER_APIS, now },
  };
}

export async function register(call: Call): Promise<Answer> {
  const { deviceId, importerToken } = await registerDevice(call.context, {
    read: () => readOptionalJson(call),
    key: header(call, REGISTRATION_KEY_HEADER),
    address: call.request.ip,
  });
  return { status: 201, body: { device_id: deviceId, importer_token: importerToken } };
}

const SCHEMA_JSON = JSON.stringify(MANIFEST_SCHEMA, null, 2);

export async function manifestSchema(): Promise<Answer> {
  return { status: 200, json: SCHEMA_JSON };
}

export async function healthz(): Promise<Answer> {
  return { status: 200, body: { status: "ok" } };
}

/** Answers 200 when the stores respond (rule K4). */
export async function readyz({ context }: Call): Promise<Answer> {
  try {
    await Promise.all([context.packages.find("pkg_none"), context.sounds.room()]);
  } catch (error) {
    throw new StoresAwayError("The storage isn't available.", { cause: error });
  }
  return { status: 200, body: { status: "ready" } };
}
