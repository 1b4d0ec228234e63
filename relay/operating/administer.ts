import { isQuarantinedOf, type SwitchName } from "../domain/ports.ts";
import { deleteUnused } from "../domain/upkeep/doomed-sounds.ts";
import type { BlockSubject } from "../storage/records/decisions.ts";
import type { QuotaChange, QuotaChanged } from "../storage/records/device-quota.ts";
import { listCandidates } from "../storage/records/denials.ts";
import type { Engine } from "../storage/records/engine.ts";
import type { NewKey } from "../storage/records/registration-keys.ts";
import { systemDigest, systemRandomBytes } from "../storage/system.ts";
import type { ByWhom } from "../storage/records/operator-log.ts";
import type { REMOVAL_CHANGES } from "../storage/records/operator-removals.ts";
import {
  opening,
  openRecords,
  openSounds,
  type OperatedStores,
  type StoreSettings,
} from "./open-operated.ts";
import { emptyLog } from "./folder-database.ts";
import { refuseMoved } from "../storage/disk/moved-mark.ts";
import { refuseMovedDatabase } from "../storage/postgres/moved-database.ts";
import type { ActingOptions, Denied, Erased, Removed } from "./operator-actions.ts";

/**
 * Opens a relay's records for an operator who changes them.
 * @throws {Error} as `openRecords`, or if the records have moved
 */
export async function openActions(
  settings: StoreSettings,
  options: ActingOptions,
): Promise<Administration> {
  const { databaseUrl, dataFolder } = settings;
  if (databaseUrl === undefined) refuseMoved(dataFolder);
  const stores = await opening(async (closing) => {
    const records = closing.use(await openRecords(settings, { mayWrite: true }));
    if (databaseUrl !== undefined) await refuseMovedDatabase(records.engine);
    const overwrite = databaseUrl === undefined ? () => emptyLog(dataFolder) : undefined;
    // Without a call to the service: one that is away must not keep a block from being made.
    const sounds = closing.use(await openSounds(settings, { isProbed: false }));
    return { records, sounds, overwrite };
  });
  return new Administration(stores, options);
}

/** Time for which a command waits for a deletion. A relay deletes the rest. */
const WAIT_MS = 5_000;

interface AdministeredStores extends OperatedStores, AsyncDisposable {
  /** Overwrites what was erased. Returns false if it can't now. Without it, the database decides. */
  readonly overwrite?: (() => boolean) | undefined;
}

/**
 * The changes that an operator makes to a relay's records, with or without running relays (rules AD1 to AD8). Each
 * change is durable and logged when its method answers, and every running relay applies it within a second.
 */
export class Administration implements AsyncDisposable {
  readonly #stores: AdministeredStores;
  readonly #who: string;
  readonly #wall: () => number;

  /** Owns the stores from then on. */
  constructor(stores: AdministeredStores, { who, wall = () => Date.now() }: ActingOptions) {
    this.#stores = stores;
    this.#who = who;
    this.#wall = wall;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stores[Symbol.asyncDispose]();
  }

  /** Blocks or unblocks an address, a network or a device. Returns false if it was so before. */
  async block(subject: BlockSubject, isBlocked: boolean): Promise<boolean> {
    const decision = { ...subject, ...(await this.#byWhom()) };
    return this.#engine.change(isBlocked ? "block" : "unblock", decision);
  }

  /** Switches something off, with the operator's own sentence, or on again. Returns false if it was so before. */
  async turn(name: SwitchName, isOff: boolean, sentence?: string): Promise<boolean> {
    return this.#engine.change("turnSwitch", {
      name,
      isOff,
      sentence,
      ...(await this.#byWhom()),
    });
  }

  /** Adds a registration key (rule AD13). Resolves with the key, which nothing keeps; undefined if its name is in use. */
  async addKey(key: Omit<NewKey, "keyHash">): Promise<string | undefined> {
    const secret = `sfk_${Buffer.from(systemRandomBytes(24)).toString("base64url")}`;
    const keyHash = systemDigest.ofText(secret);
    const isNew = await this.#engine.change("addKey", {
      ...key,
      keyHash,
      ...(await this.#byWhom()),
    });
    return isNew ? secret : undefined;
  }

  /** Removes a registration key. Resolves with false if it was removed before, with undefined if there was none. */
  async removeKey(name: string): Promise<boolean | undefined> {
    return this.#engine.change("removeKey", { name, ...(await this.#byWhom()) });
  }

  /** Sets a device's own limits. Resolves with undefined if there is no such device. */
  async setQuota(quota: QuotaChange): Promise<QuotaChanged | undefined> {
    return this.#engine.change("setQuota", { ...quota, ...(await this.#byWhom()) });
  }

  /** Denies a sound and deletes its stored copies. Also removes copies that arrived during a denial, or that an interrupted one left. */
  async deny(sha256: string): Promise<Denied> {
    const by = await this.#byWhom();
    const isNew = await this.#engine.change("deny", { sha256, ...by });
    const packages: string[] = [];
    const doomed: string[] = [];
    for (const packageId of await this.#engine.readSlowly(listCandidates(sha256))) {
      const keys = await this.#engine.change("takeOut", { packageId, sha256 });
      if (keys.length > 0) packages.push(packageId);
      doomed.push(...keys);
    }
    if (packages.length > 0) {
      await this.#engine.change("detailDenial", { sha256, isNew, packages, ...by });
    }
    return { isNew, packages, ...(await this.#delete(doomed)) };
  }

  /** Allows a denied sound again. Returns false if it wasn't denied. */
  async allow(sha256: string): Promise<boolean> {
    return this.#engine.change("allow", { sha256, ...(await this.#byWhom()) });
  }

  /** Revokes a device's token and its apps', or one pairing. Resolves with undefined if there is no such thing. */
  revoke(id: string): Promise<Removed | undefined> {
    return this.#remove("revoke", id);
  }

  /** Deletes a package, or all packages of a device. Resolves with undefined if there is no such thing. */
  purge(id: string): Promise<Removed | undefined> {
    return this.#remove("purge", id);
  }

  /** Deletes a device with everything that is stored about it. Resolves with undefined if there is no such device. */
  async erase(id: string): Promise<Erased | undefined> {
    const removed = await this.#remove("erase", id);
    return removed && { ...removed, isOverwritten: this.#stores.overwrite?.() };
  }

  /** Logs that an export was handed out. */
  async noteExport(id: string): Promise<void> {
    const operation = { action: "export", subject: id, ...(await this.#byWhom()) };
    await this.#engine.change("logOperation", operation);
  }

  async #remove(how: keyof typeof REMOVAL_CHANGES, id: string): Promise<Removed | undefined> {
    const { now, proven } = await this.#time();
    const removal = { id, now: proven, who: this.#who, at: now };
    const removed = await this.#engine.change(how, removal);
    return removed && this.#delete(removed.doomed);
  }

  /** Deletes sounds. Those that can't be deleted now stay doomed for the next sweep of a relay (rule Z14). */
  async #delete(keys: readonly string[]): Promise<Removed> {
    const { sounds, records } = this.#stores;
    const { soundKeys, upkeep } = records;
    const { now } = await this.#time();
    const clock = { now: () => now, confirmedNow: () => now };
    const { instance } = await upkeep.read();
    const stores = { sounds, soundKeys, upkeep, clock, instanceId: instance?.instanceId };
    await deleteUnused(stores, keys, WAIT_MS);
    const files = keys.filter((key) => !isQuarantinedOf(key));
    const gone = await upkeep.findUnknown(files);
    return { files: files.length, waiting: files.length - gone.length };
  }

  async #byWhom(): Promise<ByWhom> {
    return { who: this.#who, at: (await this.#time()).now };
  }

  /** Returns the relay's time, which is never behind the time that it kept, and the proven one. */
  async #time(): Promise<{ readonly now: number; readonly proven: number }> {
    const { clock, upkeep } = this.#stores.records;
    if (clock !== undefined) return { now: clock.now(), proven: clock.now() };
    const wall = this.#wall();
    const { time: kept } = await upkeep.read();
    return { now: Math.max(wall, kept ?? wall), proven: kept ?? wall };
  }

  get #engine(): Engine {
    return this.#stores.records.engine;
  }
}
