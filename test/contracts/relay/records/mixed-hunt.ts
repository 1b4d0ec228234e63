import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { PackageRecord } from "../../../../relay/domain/ports.ts";
import { eventually } from "../contract.ts";
import { claim, putCode } from "./code-cases.ts";
import { leased } from "./package-cases.ts";
import type { OpenedRecords } from "./records-case.ts";
import {
  addFile,
  committed,
  DAY,
  HOUR,
  insert,
  packageOf,
  pair,
  register,
  T0,
} from "./sample-records.ts";
import { keysOfSounds } from "./sound-key-cases.ts";
import { type Hunt, type Seeded, upTo } from "./seeded.ts";

const PACKAGES = 6;
const CALLS = upTo(100);
const SETTLES_MS = 30_000;
const FIRST_PAGE = { after: undefined, limit: 100 };

/** The subjects and outcomes of the calls of one seed. */
interface Scene {
  readonly prefix: string;
  readonly random: Seeded;
  /** Keys that were added as pending. */
  readonly added: Set<string>;
  /** Keys that were removed from the list while they were doomed. */
  readonly removed: Set<string>;
}

/**
 * Makes 100 calls of all methods at once in both instances. None may fail, because no call is wrong, and an instance
 * waits for the other. In the end every key is in exactly one place.
 */
export const huntDeadlocks: Hunt = async (instances, random, prefix) => {
  const scene: Scene = { prefix, random, added: new Set(), removed: new Set() };
  for (const device of [1, 2]) {
    await register(instances[0], `${prefix}device-${device}`);
    await pair(instances[0], `${prefix}device-${device}`);
  }
  for (const index of upTo(PACKAGES)) await insert(instances[0], samplePackage(scene, index));
  const calls = CALLS.map((call) => {
    const [name, run] = random.pick(METHODS);
    return run(random.pick(instances), scene, call).catch((error: unknown) => {
      throw new Error(`${name} failed: ${String(error)}`, { cause: error });
    });
  });
  const patience = new AbortController();
  const settled = await Promise.race([
    Promise.allSettled(calls),
    sleep(SETTLES_MS, undefined, { signal: patience.signal }),
  ]);
  patience.abort();
  assert.ok(settled, "Calls of two instances wait for each other for ever.");
  const failure = settled.find((each) => each.status === "rejected");
  if (failure !== undefined) throw failure.reason;
  await assertKeysInPlace(instances, scene);
};

type Method = readonly [
  name: string,
  run: (records: OpenedRecords, scene: Scene, call: number) => Promise<unknown>,
];

const METHODS: readonly [Method, ...Method[]] = [
  ["insert", (records, scene, call) => insert(records, samplePackage(scene, PACKAGES + call))],
  ["update", changePackage],
  ["update", changePackage],
  ["addPending and addFile", uploadSound],
  ["addPending and addFile", uploadSound],
  ["addPending and addFile", uploadSound],
  ["addPending and beginPartial", beginPart],
  ["addPending and beginPartial", beginPart],
  ["remove", removePackage],
  ["find", async ({ packages }, scene) => packages.find(anyPackage(scene))],
  ["findManifests", ({ packages }, scene) => packages.findManifests([anyPackage(scene)], 1000)],
  [
    "list of importable packages",
    ({ packages }, scene) => packages.list({ deviceId: anyDevice(scene), now: T0 }, FIRST_PAGE),
  ],
  [
    "list of own packages",
    ({ packages }, scene) =>
      packages.list({ deviceId: anyDevice(scene), appId: "app-1" }, FIRST_PAGE),
  ],
  ["listDue", ({ packages }) => packages.listDue(T0 + DAY, DAY, 100)],
  ["forgetOld", ({ packages }) => packages.forgetOld(T0)],
  ["dropSpares", ({ packages }) => packages.dropSpares({ bytes: 2, now: T0 })],
  [
    "dropSpares of a device",
    ({ packages }, scene) => packages.dropSpares({ deviceId: anyDevice(scene), bytes: 2, now: T0 }),
  ],
  ["findIdempotent", findIdempotent],
  ["addPending", (records, scene, call) => addKey(records, scene, `${anyPackage(scene)}/${call}`)],
  ["doom", ({ soundKeys }, { random }) => soundKeys.doom({ endedBy: T0 + random.below(100) })],
  ["remove", removeDoomed],
  ["setCode and claimCode", pairApp],
  ["setCode and claimCode", pairApp],
  ["setCode", ({ pairings }, scene) => pairings.setCode(anyDevice(scene), null)],
  ["insertDevice", (records, { prefix }, call) => register(records, `${prefix}new-${call}`)],
  [
    "changeDevice",
    ({ pairings }, scene, call) =>
      pairings.changeDevice(anyDevice(scene), { deviceName: `${call}` }),
  ],
  ["removeDevice", removeDevice],
  ["findDevice", ({ pairings }, s) => pairings.findDevice(`${anyDevice(s)}-token`)],
  ["findApp", ({ pairings }, scene) => pairings.findApp(anyToken(scene))],
  ["unpair", ({ pairings }, scene) => pairings.unpair({ tokenHash: anyToken(scene) }, T0)],
  ["unpair", unpair],
  ["listDevices", ({ pairings }) => pairings.listDevices({ unseenSince: T0 })],
  ["noteSeen", noteSeen],
  [
    "noteListed",
    ({ packages }, scene, call) => {
      const ids = [anyPackage(scene), anyPackage(scene), anyPackage(scene)];
      return packages.noteListed(new Map(ids.map((id) => [id, T0 + call])));
    },
  ],
];

function samplePackage({ prefix, random }: Scene, index: number): PackageRecord {
  const deviceId = `${prefix}device-${1 + random.below(2)}`;
  return packageOf(`${prefix}pkg-${index}`, { deviceId, sizes: [1, 2] });
}

function anyPackage({ prefix, random }: Scene): string {
  return `${prefix}pkg-${random.below(PACKAGES)}`;
}

function anyDevice({ prefix, random }: Scene): string {
  return `${prefix}device-${1 + random.below(2)}`;
}

function anyToken(scene: Scene): string {
  return `${anyDevice(scene)}-app-1-token`;
}

async function changePackage({ packages }: OpenedRecords, scene: Scene, call: number) {
  const found = await packages.find(anyPackage(scene));
  if (found === undefined) return;
  const changed = [leased(found, `${call}`), { ...found, filesDeleted: true }] as const;
  const ended = [commitOf(found), { ...commitOf(found), isSpare: true }] as const;
  await packages.update(scene.random.pick([changed[0], changed[0], changed[1], ...ended]));
}

function commitOf(record: PackageRecord): PackageRecord {
  return { ...record, life: committed(record, T0).life };
}

async function addKey({ soundKeys }: OpenedRecords, { added, random }: Scene, key: string) {
  await soundKeys.addPending(key, T0 + random.below(200));
  added.add(key);
}

async function uploadSound(records: OpenedRecords, scene: Scene, call: number) {
  const packageId = anyPackage(scene);
  const key = `${packageId}/${call}`;
  await addKey(records, scene, key);
  const found = await records.packages.find(packageId);
  if (found !== undefined) await addFile(records, found, key, { index: scene.random.below(2) });
}

/** The key ends later than any that is doomed meanwhile, so that it is pending. */
async function beginPart({ soundKeys }: OpenedRecords, scene: Scene, call: number) {
  const key = `${anyPackage(scene)}/${call}`;
  await soundKeys.addPending(key, T0 + 1000);
  scene.added.add(key);
  await soundKeys.beginPartial({ key, file: `part ${call}.wav` });
}

async function removePackage({ packages }: OpenedRecords, scene: Scene) {
  const found = await packages.find(anyPackage(scene));
  if (found !== undefined) await packages.remove(found.packageId, found.version);
}

async function findIdempotent({ packages }: OpenedRecords, scene: Scene) {
  await packages.findIdempotent({ deviceId: anyDevice(scene), appId: "app-1" }, "key", T0);
}

async function removeDoomed({ soundKeys }: OpenedRecords, { prefix, removed }: Scene) {
  const listed = await soundKeys.list({ state: "doomed", after: prefix, limit: 5 });
  const doomed = listed.filter((key) => key.startsWith(prefix));
  await soundKeys.remove(doomed);
  for (const key of doomed) removed.add(key);
}

async function pairApp({ pairings }: OpenedRecords, scene: Scene, call: number) {
  const code = `${scene.prefix}code-${call}`;
  // A removed device can have no code.
  const deviceId = `${scene.prefix}apps-${call}`;
  await register({ pairings }, deviceId);
  await putCode(pairings, deviceId, code);
  assert.ok(await claim(pairings, code, `${code}-token`), "A valid code did not pair.");
}

/** Removes a device. This is rare, because little happens to a package whose device is gone. */
async function removeDevice({ pairings }: OpenedRecords, scene: Scene) {
  if (scene.random.below(4) === 0) await pairings.removeDevice(anyDevice(scene));
}

async function unpair({ pairings }: OpenedRecords, scene: Scene) {
  const deviceId = anyDevice(scene);
  for (const { pairingId } of await pairings.listPairings(deviceId)) {
    await pairings.unpair({ deviceId, pairingId }, T0);
  }
}

async function noteSeen({ pairings }: OpenedRecords, scene: Scene, call: number) {
  await pairings.noteSeen({
    devices: new Map([[anyDevice(scene), T0 + call]]),
    pairings: new Map([[`pairing of ${anyToken(scene)}`, T0 + call]]),
  });
}

/**
 * Asserts that every key that was added is pending, doomed, or part of one package, unless it was removed from the
 * list.
 */
async function assertKeysInPlace(
  [first, second]: readonly [OpenedRecords, OpenedRecords],
  { prefix, added, removed }: Scene,
): Promise<void> {
  const packageIds = upTo(PACKAGES + CALLS.length).map((index) => `${prefix}pkg-${index}`);
  const inPackages = await keysOfPackages(first, packageIds);
  await eventually(
    "both instances read the same packages.",
    async () => (await keysOfPackages(second, packageIds)).join() === inPackages.join(),
  );
  const doomed = await doomedKeys(first, prefix);
  await first.soundKeys.doom({ endedBy: T0 + HOUR });
  const left = await doomedKeys(first, prefix);
  const pending = left.filter((key) => !doomed.includes(key));
  assert.deepEqual(
    [...inPackages, ...doomed, ...pending].toSorted(),
    [...added].filter((key) => !removed.has(key)).toSorted(),
    "Not every key is in exactly one of: pending, part of a package, doomed.",
  );
}

async function keysOfPackages(
  { packages }: OpenedRecords,
  ids: readonly string[],
): Promise<readonly string[]> {
  const found = await Promise.all(ids.map(async (id) => packages.find(id)));
  const held = found.filter((record) => record !== undefined && !record.filesDeleted);
  return held.flatMap((record) => Array.from(record?.uploaded.values() ?? []));
}

async function doomedKeys(
  { soundKeys }: OpenedRecords,
  prefix: string,
): Promise<readonly string[]> {
  const listed = await soundKeys.list({ state: "doomed", after: prefix, limit: 1000 });
  return keysOfSounds(listed).filter((key) => key.startsWith(prefix));
}
