import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { AnnounceAnswer } from "../../../core/protocol/public-api.ts";
import { announcePackage } from "../../../relay/domain/packages/announce.ts";
import { commitPackage } from "../../../relay/domain/packages/commit-package.ts";
import type { Context, Policy } from "../../../relay/domain/context.ts";
import { type KnownApp, KnownTokens } from "../../../relay/domain/pairing/known-tokens.ts";
import { callingApp } from "../../../relay/domain/caller.ts";
import {
  type ClaimCall,
  claimPairing,
  issuePairingCode,
} from "../../../relay/domain/pairing/pair.ts";
import type { PackageRecord } from "../../../relay/domain/ports.ts";
import { receiveSound } from "../../../relay/domain/uploads/receive-sound.ts";
import { registerDevice } from "../../../relay/domain/pairing/devices.ts";
import { Partials } from "../../../relay/domain/uploads/partials.ts";
import { Admission } from "../../../relay/domain/admission/budgets.ts";
import { NO_METER } from "../../../relay/domain/meter.ts";
import { MemoryNotifier } from "../../../relay/notify/memory-notifier.ts";
import { budgetsOf } from "../../../relay/budgets-of.ts";
import { readRelaySettings } from "../../../relay/settings.ts";
import { DiskSoundStore } from "../../../relay/storage/disk/disk-sound-store.ts";
import { keysOfSounds } from "../../contracts/relay/records/sound-key-cases.ts";
import { keysOf } from "../../contracts/relay/sounds/sounds-case.ts";
import { SetClock } from "../set-clock.ts";
import { contextOf } from "../../sim/context-of.ts";
import { manifestOf } from "../../manifest-of.ts";
import { smallWav } from "../../wav-bytes.ts";
import { sqliteInMemory } from "./sqlite-in-memory.ts";

/** The use cases' context on SQLite in memory, sounds on disk and a clock that the test sets. */
export interface UseCases extends AsyncDisposable {
  readonly context: Context;
  readonly clock: SetClock;
  /** Every notification since the list was last emptied: `<topic> <type>`. */
  readonly notified: string[];
}

/** @param policy what differs from the relay's defaults */
export async function openUseCases(
  policy: Partial<Policy> = {},
): Promise<UseCases & { readonly database: DatabaseSync }> {
  const folder = await mkdtemp(join(tmpdir(), "soundferry-domain-"));
  const { close, database, ...records } = sqliteInMemory();
  const clock = new SetClock();
  const notifier = new MemoryNotifier((error) => {
    throw error;
  });
  const notified: string[] = [];
  const notify = notifier.notify.bind(notifier);
  notifier.notify = async (topic, notification) => {
    notified.push(`${topic} ${notification.type}`);
    await notify(topic, notification);
  };
  const sounds = await DiskSoundStore.open(folder);
  const context = contextOf({ ...records, sounds, notifier, clock }, policy);
  return {
    context,
    clock,
    database,
    notified,
    [Symbol.asyncDispose]: async () => {
      close();
      await rm(folder, { recursive: true });
    },
  };
}

/** A registered computer: its id and its importer's token. */
export async function register({ context }: UseCases, name = "Studio") {
  return registerDevice(context, {
    read: async () => ({ device_name: name }),
    key: undefined,
    address: "192.0.2.1",
  });
}

/** A claim from an address somewhere, which nobody hangs up. */
export function claimCall(read: () => Promise<unknown>, address = "192.0.2.1"): ClaimCall {
  const claimant = { address, isInLan: false, isLocal: false, isOwn: false };
  return { claimant, read, key: undefined, stopped: new AbortController().signal };
}

/** Pairs an app with a computer; gives its token. */
export async function pair({ context }: UseCases, deviceId: string, appId = "app-1") {
  const { code } = await issuePairingCode(context, deviceId);
  const claim = async () => ({ code, app_name: "Looper", app_id: appId });
  return (await claimPairing(context, claimCall(claim))).appToken;
}

/** A computer with one app, as a good token shows it. */
export async function pairedApp(cases: UseCases, appId = "app-1"): Promise<KnownApp> {
  const { deviceId } = await register(cases);
  return cases.context.known.app(await pair(cases, deviceId, appId));
}

/** Announces a manifest, as the HTTP side does. */
export async function announce(
  { context }: UseCases,
  app: KnownApp,
  manifest: object = manifestOf(["kick.wav"]),
  { idempotencyKey, address = "192.0.2.1" }: { idempotencyKey?: string; address?: string } = {},
) {
  return announcePackage(context, app, {
    body: new TextEncoder().encode(JSON.stringify(manifest)),
    parse: () => manifest,
    idempotencyKey,
    address,
  });
}

/** The parsed answer to an announcement. */
export async function announced(...args: Parameters<typeof announce>): Promise<AnnounceAnswer> {
  return JSON.parse((await announce(...args)).json);
}

/** Uploads one sound in the given pieces. */
export async function upload(
  { context }: UseCases,
  app: KnownApp,
  packageId: string,
  {
    file = "kick.wav",
    pieces = [smallWav()],
    contentLength,
    address = "192.0.2.1",
  }: UploadOptions = {},
) {
  const body = async function* (): AsyncIterable<Uint8Array> {
    for (const piece of pieces) yield typeof piece === "function" ? await piece() : piece;
  };
  const caller = callingApp(app, address);
  return receiveSound(context, { app, caller, packageId, file, contentLength, body });
}

interface UploadOptions {
  readonly file?: string;
  /** A function runs when its piece is asked for. */
  readonly pieces?: readonly (Uint8Array | (() => Promise<Uint8Array>))[];
  readonly contentLength?: number;
  readonly address?: string;
}

/** An app of a device whose imports have proven it (rule L7). */
export function proven(app: KnownApp): KnownApp {
  return { ...app, imports: { days: 3, firstDay: 20_000, lastDay: 20_007 } };
}

/** A WAV of so many bytes; an even number, at least 46. */
export function wavOf(bytes: number): Buffer {
  return smallWav({ frames: (bytes - 44) / 2 });
}

/** Announces a sound of so many bytes and sends it; gives the package's id. */
export async function sendBytes(
  cases: UseCases,
  app: KnownApp,
  bytes: number,
  address = "192.0.2.1",
): Promise<string> {
  const wav = wavOf(bytes);
  const manifest = manifestOf({ "kick.wav": wav });
  const { package_id: packageId } = await announced(cases, app, manifest, { address });
  await upload(cases, app, packageId, { pieces: [wav], address });
  return packageId;
}

/** Announces, uploads and commits a package of small sounds; gives its id. */
export async function send(
  cases: UseCases,
  app: KnownApp,
  files: readonly string[] = ["kick.wav"],
): Promise<string> {
  const { package_id: packageId } = await announced(cases, app, manifestOf(files));
  for (const file of files) await upload(cases, app, packageId, { file });
  await commitPackage(cases.context, app, packageId);
  return packageId;
}

/** The stored record of a package. */
export async function recordOf({ context }: UseCases, packageId: string): Promise<PackageRecord> {
  const record = await context.packages.find(packageId);
  if (record === undefined) throw new Error("The package is there.");
  return record;
}

/** Keys of all stored sounds, finished or not. */
export async function storedKeys({ context: { sounds } }: UseCases): Promise<string[]> {
  return keysOf(sounds);
}

/** Keys of sounds that are to be deleted. */
export async function doomedKeys({ context }: UseCases): Promise<readonly string[]> {
  return keysOfSounds(await context.soundKeys.list({ state: "doomed", limit: 1000 }));
}

/**
 * The context of another process on the same stores, or of this one after a crash and a restart: it remembers
 * nothing but what is stored.
 */
export function anotherProcess({ context }: UseCases): Context {
  const { pairings, digest, clock } = context;
  return {
    ...context,
    known: new KnownTokens(pairings, digest, clock),
    meter: NO_METER,
    admission: new Admission(budgetsOf(readRelaySettings({ environment: {} }))),
    partials: new Partials(),
  };
}

/** Runs once before the next write of a record, between its reading and its writing. */
export function beforeNextWrite(
  { context }: UseCases,
  name: "update" | "addFile" | "remove" | "expire",
  rival: () => Promise<unknown>,
): void {
  const { packages } = context;
  const own = { ...packages };
  const restore = async () => {
    Object.assign(packages, own);
    await rival();
  };
  const rivals: Pick<typeof packages, typeof name> = {
    update: (record) => restore().then(() => packages.update(record)),
    addFile: (added) => restore().then(() => packages.addFile(added)),
    remove: (id, version) => restore().then(() => packages.remove(id, version)),
    expire: (now, limit) => restore().then(() => packages.expire(now, limit)),
  };
  Object.assign(packages, { [name]: rivals[name] });
}
