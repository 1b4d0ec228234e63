import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { buildRelay } from "../../../../relay/build-relay.ts";
import { listsSounds } from "../../../../relay/domain/ports.ts";
import { sweep } from "../../../../relay/domain/sweep.ts";
import { readRelaySettings } from "../../../../relay/settings.ts";
import { smallWav } from "../../../wav-bytes.ts";
import { fillUp } from "./small-disk.ts";

// Runs a relay on a disk of a few MiB (the given folder), fills that disk from outside, and prints as one
// JSON value the answers an app got before, during and after that.

const folder = process.argv[2] ?? "";
const environment = {
  SOUNDFERRY_PORT: "0",
  SOUNDFERRY_DATA: join(folder, "data"),
  SOUNDFERRY_MIN_FREE_BYTES: "0",
  SOUNDFERRY_BALLAST_BYTES: "0",
  SOUNDFERRY_LOG_LEVEL: "silent",
};
await using relay = await buildRelay(readRelaySettings({ environment }), {
  log: pino({ level: "silent" }),
});
const { url } = await relay.listen();
const wav = smallWav({ frames: 1_200_000 });
const items = [
  { file: "a.wav", bytes: wav.byteLength, sha256: createHash("sha256").update(wav).digest("hex") },
];

async function call(
  method: string,
  path: string,
  token?: string,
  body?: object,
  // oxlint-disable-next-line typescript/no-explicit-any -- a test looks into answers of every shape
): Promise<any> {
  const answer = await fetch(url + path, {
    method,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: body instanceof Uint8Array ? body : JSON.stringify(body) }),
  });
  return Object.assign({ status: answer.status }, await answer.json());
}

const importer = (await call("POST", "/importer/register")).importer_token;
const { code } = await call("POST", "/importer/pairing-code", importer);
const claim = { code, app_name: "Looper", app_id: "1" };
const token = (await call("POST", "/pair/claim", undefined, claim)).app_token;
const announce = () => call("POST", "/packages", token, { schema: "app2host/1", items });
const tooLarge = await call("POST", "/packages", token, {
  schema: "app2host/1",
  items: [{ ...items[0], bytes: 100_000_000 }],
});
const announced = await announce();
const path: string = announced.upload["a.wav"];
const upload = () => call("PUT", path, token, wav);
const statusOf = () => call("GET", `/packages/${announced.package_id}/status`, token);
const storedKeys = async () => {
  const keys: string[] = [];
  const { sounds } = relay.context;
  if (!listsSounds(sounds)) throw new Error("A disk lists its sounds.");
  for await (const key of sounds.keys()) keys.push(key);
  return keys;
};

await fillUp(join(folder, "filler"));
const full = {
  upload: await upload(),
  files: (await statusOf()).files,
  keys: await storedKeys(),
  rename: await call("PATCH", "/importer/me", importer, { device_name: "x".repeat(60) }),
};
await rm(join(folder, "filler"));
await sweep(relay.context);
const after = {
  upload: await upload(),
  files: (await statusOf()).files,
  announce: await announce(),
};
process.stdout.write(JSON.stringify({ tooLarge, full, after }));
