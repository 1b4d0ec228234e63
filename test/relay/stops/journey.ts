import assert from "node:assert/strict";
import { buffer } from "node:stream/consumers";
import { Refusal } from "../../../core/protocol/refusal.ts";
import { announcePackage } from "../../../relay/domain/announce.ts";
import { callingApp } from "../../../relay/domain/caller.ts";
import { commitPackage } from "../../../relay/domain/commit-package.ts";
import type { Context } from "../../../relay/domain/context.ts";
import { removeDevice } from "../../../relay/domain/devices.ts";
import { findDownload } from "../../../relay/domain/importable.ts";
import { claimPairing, issuePairingCode } from "../../../relay/domain/pair.ts";
import { receiveSound } from "../../../relay/domain/receive-sound.ts";
import { registerDevice } from "../../../relay/domain/register-device.ts";
import { reportResults } from "../../../relay/domain/report-results.ts";
import { sweep } from "../../../relay/domain/sweep.ts";
import { takePackage } from "../../../relay/domain/take-package.ts";
import { unpairToken } from "../../../relay/domain/unpair.ts";
import { lookForUnknown } from "../../../relay/domain/unknown-sounds.ts";
import { withdraw } from "../../../relay/domain/withdraw-package.ts";
import { smallWav } from "../../wav-bytes.ts";
import { claimCall, manifestOf } from "../domain/use-cases.ts";

export const SOUNDS: Readonly<Record<string, Buffer>> = {
  "kick.wav": smallWav({ fill: 1 }),
  "snare.wav": smallWav({ fill: 2, frames: 700 }),
};

/** What app and importer remember of the answers they got. */
export interface Remembered {
  importerToken?: string;
  appToken?: string;
  /** By the journey's name of the package. */
  readonly packageIds: Map<string, string>;
}

/** What a fresh process shows, as `see` describes it. */
export type Sight = Readonly<Record<string, string>>;

/** One call of an app, an importer or the relay itself. Without an answer it is made again. */
export interface Step {
  readonly name: string;
  readonly act: (context: Context, remembered: Remembered) => Promise<void>;
  /** What it changes of what can be seen. */
  readonly changes: Sight;
  /** Hours that pass before it. */
  readonly hours?: number;
}

const ADDRESS = "192.0.2.1";

/** Everything that a package goes through, and all that ends it: its time, its app, its computer. */
export const JOURNEY: readonly Step[] = [
  { name: "register", changes: { importer: "known" }, act: register },
  { name: "pair", changes: { app: "known" }, act: pair },
  announce("song"),
  upload("song", "kick.wav", "uploading: kick.wav"),
  upload("song", "snare.wav", "uploading: kick.wav snare.wav"),
  upload("song", "kick.wav", "uploading: kick.wav snare.wav"),
  commit("song", "waiting: kick.wav snare.wav"),
  take("song", "waiting: kick.wav snare.wav, taken"),
  { name: "download song", changes: {}, act: download },
  report("song", "imported: kick.wav snare.wav"),
  announce("regretted"),
  upload("regretted", "kick.wav", "uploading: kick.wav"),
  {
    name: "withdraw regretted",
    changes: { regretted: "gone" },
    act: (context, remembered) =>
      allowing(404, async () => {
        const app = await appOf(context, remembered);
        await withdraw(context, app, idOf(remembered, "regretted"));
      }),
  },
  announce("forgotten"),
  upload("forgotten", "kick.wav", "uploading: kick.wav"),
  upload("forgotten", "snare.wav", "uploading: kick.wav snare.wav"),
  commit("forgotten", "waiting: kick.wav snare.wav"),
  { name: "a day", hours: 25, changes: { song: "imported:", forgotten: "expired:" }, act: nothing },
  { name: "sweep", changes: {}, act: (context) => sweep(context) },
  announce("kept"),
  upload("kept", "kick.wav", "uploading: kick.wav"),
  upload("kept", "snare.wav", "uploading: kick.wav snare.wav"),
  commit("kept", "waiting: kick.wav snare.wav"),
  announce("unfinished"),
  upload("unfinished", "kick.wav", "uploading: kick.wav"),
  {
    name: "unpair",
    changes: { app: "unknown", unfinished: "gone" },
    act: (context, remembered) =>
      allowing(401, async () => unpairToken(context, await appOf(context, remembered))),
  },
  {
    name: "remove the device",
    changes: { importer: "unknown", song: "gone", forgotten: "gone", kept: "gone" },
    act: (context, remembered) =>
      allowing(401, async () => removeDevice(context, await deviceOf(context, remembered))),
  },
  { name: "ten days", hours: 240, changes: {}, act: nothing },
  { name: "the last sweep", changes: {}, act: (context) => sweep(context) },
  { name: "the last look", changes: {}, act: (context) => lookForUnknown(context) },
];

async function nothing(): Promise<void> {}

async function register(context: Context, remembered: Remembered): Promise<void> {
  const read = async () => ({ device_name: "Studio" });
  const request = { read, key: undefined, address: ADDRESS };
  remembered.importerToken = (await registerDevice(context, request)).importerToken;
}

async function pair(context: Context, remembered: Remembered): Promise<void> {
  const { code } = await issuePairingCode(context, await deviceOf(context, remembered));
  const claim = async () => ({ code, app_name: "Looper", app_id: "looper" });
  remembered.appToken = (await claimPairing(context, claimCall(claim, ADDRESS))).appToken;
}

function announce(name: string): Step {
  const manifest = manifestOf(SOUNDS);
  const body = new TextEncoder().encode(JSON.stringify(manifest));
  const request = { body, parse: () => manifest, idempotencyKey: name, address: ADDRESS };
  const act: Step["act"] = async (context, remembered) => {
    const { json } = await announcePackage(context, await appOf(context, remembered), request);
    remembered.packageIds.set(name, JSON.parse(json).package_id);
  };
  return { name: `announce ${name}`, changes: { [name]: "uploading:" }, act };
}

function upload(name: string, file: string, becomes: string): Step {
  const bytes = SOUNDS[file] ?? Buffer.alloc(0);
  const body = async function* () {
    for (const at of [0, 60]) yield Uint8Array.from(bytes.subarray(at, at === 0 ? 60 : undefined));
  };
  const act: Step["act"] = async (context, remembered) => {
    const app = await appOf(context, remembered);
    const packageId = idOf(remembered, name);
    const caller = callingApp(app, "192.0.2.1");
    const contentLength = bytes.byteLength;
    await receiveSound(context, { app, caller, packageId, file, contentLength, body });
  };
  return { name: `upload ${file} of ${name}`, changes: { [name]: becomes }, act };
}

function commit(name: string, becomes: string): Step {
  const act: Step["act"] = async (context, remembered) => {
    await commitPackage(context, await appOf(context, remembered), idOf(remembered, name));
  };
  return { name: `commit ${name}`, changes: { [name]: becomes }, act };
}

function take(name: string, becomes: string): Step {
  const act: Step["act"] = async (context, remembered) => {
    const run = { run_id: "run-1" };
    await takePackage(context, await deviceOf(context, remembered), idOf(remembered, name), run);
  };
  return { name: `take ${name}`, changes: { [name]: becomes }, act };
}

async function download(context: Context, remembered: Remembered): Promise<void> {
  const deviceId = await deviceOf(context, remembered);
  for (const file of Object.keys(SOUNDS)) {
    await downloadWhole(context, deviceId, idOf(remembered, "song"), file);
  }
}

/** @throws {AssertionError} if what arrives is not the whole sound */
export async function downloadWhole(
  context: Context,
  deviceId: string,
  packageId: string,
  file: string,
): Promise<void> {
  const { sizeBytes, read } = await findDownload(context, deviceId, packageId, file);
  const bytes = await buffer(await read({ start: 0, end: sizeBytes - 1 }));
  assert.ok(SOUNDS[file]?.equals(bytes), `${file} arrives whole`);
}

function report(name: string, becomes: string): Step {
  const act: Step["act"] = async (context, remembered) => {
    const results = { 1: { status: "imported" }, 2: { status: "imported" } };
    const deviceId = await deviceOf(context, remembered);
    await reportResults(context, deviceId, idOf(remembered, name), { results });
  };
  return { name: `report ${name}`, changes: { [name]: becomes }, act };
}

function appOf(context: Context, { appToken = "" }: Remembered) {
  return context.known.app(appToken);
}

async function deviceOf(context: Context, { importerToken = "" }: Remembered): Promise<string> {
  return (await context.known.device(importerToken)).deviceId;
}

function idOf({ packageIds }: Remembered, name: string): string {
  const packageId = packageIds.get(name);
  assert.ok(packageId !== undefined, `${name} was announced`);
  return packageId;
}

/** A call that is made again because its answer was lost may find that there is nothing left to do. */
async function allowing(status: number, call: () => Promise<void>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== status) throw error;
  }
}
