import type { QuarantiningSoundStore, SwitchName } from "../domain/ports.ts";
import { deleteUnused } from "../domain/upkeep/doomed-sounds.ts";
import { erasingQuarantined } from "../domain/upkeep/quarantine.ts";
import type { BlockSubject } from "../storage/records/decisions.ts";
import { listCandidates } from "../storage/records/denials.ts";
import type { Engine } from "../storage/records/engine.ts";
import type { ByWhom } from "../storage/records/operator-log.ts";
import type { REMOVAL_CHANGES } from "../storage/records/operator-removals.ts";
import { ask, statement, type Work } from "../storage/records/statement.ts";
import type { OperatedRecords } from "./open-operated.ts";
import type {
  ActingOptions,
  Denied,
  Erased,
  OperatorActions,
  Removed,
} from "./operator-actions.ts";

const LEFT = statement<{ readonly n: number }>(
  "keys_left",
  (sql) => `SELECT count(*) AS n FROM sound_keys WHERE ${sql.among("key", ":keys")}`,
);

interface AdministeredStores {
  readonly records: OperatedRecords;
  readonly sounds: QuarantiningSoundStore & Partial<AsyncDisposable>;
  /** Overwrites what was erased. Returns false if it can't now. Without it, the database decides. */
  readonly overwrite?: (() => boolean) | undefined;
}

/** An operator's changes to records, beside running relays. Owns its stores. */
export class Administration implements OperatorActions, AsyncDisposable {
  readonly #stores: AdministeredStores;
  readonly #who: string;
  readonly #wall: () => number;

  constructor(stores: AdministeredStores, { who, wall = () => Date.now() }: ActingOptions) {
    this.#stores = stores;
    this.#who = who;
    this.#wall = wall;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stores.records[Symbol.asyncDispose]();
    await this.#stores.sounds[Symbol.asyncDispose]?.();
  }

  async block(subject: BlockSubject, isBlocked: boolean): Promise<boolean> {
    const decision = { ...subject, ...(await this.#byWhom()) };
    return this.#engine.change(isBlocked ? "block" : "unblock", decision);
  }

  async turn(name: SwitchName, isOff: boolean, sentence?: string): Promise<boolean> {
    return this.#engine.change("turnSwitch", {
      name,
      isOff,
      sentence,
      ...(await this.#byWhom()),
    });
  }

  /** Denies a sound. Also removes copies that arrived during a denial, or that an interrupted one left. */
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

  async allow(sha256: string): Promise<boolean> {
    return this.#engine.change("allow", { sha256, ...(await this.#byWhom()) });
  }

  revoke(id: string): Promise<Removed | undefined> {
    return this.#remove("revoke", id);
  }

  purge(id: string): Promise<Removed | undefined> {
    return this.#remove("purge", id);
  }

  async erase(id: string): Promise<Erased | undefined> {
    const removed = await this.#remove("erase", id);
    return removed && { ...removed, isOverwritten: this.#stores.overwrite?.() };
  }

  async noteExport(id: string): Promise<void> {
    const operation = { action: "export", subject: id, ...(await this.#byWhom()) };
    await this.#engine.change("logOperation", operation);
  }

  async #remove(how: keyof typeof REMOVAL_CHANGES, id: string): Promise<Removed | undefined> {
    const { now, proven } = await this.#time();
    const removal = { id, now: proven, who: this.#who, at: now };
    const removed = await erasingQuarantined(await this.#deletion(), () =>
      this.#engine.change(how, removal),
    );
    return removed && this.#delete(removed.doomed);
  }

  /** Deletes sounds. Those that can't be deleted now stay doomed for the next sweep of a relay. */
  async #delete(keys: readonly string[]): Promise<Removed> {
    await deleteUnused(await this.#deletion(), keys);
    return { files: keys.length, waiting: await this.#engine.readSlowly(countLeft(keys)) };
  }

  async #deletion() {
    const { sounds, records } = this.#stores;
    const { packages, soundKeys, upkeep } = records;
    const { now } = await this.#time();
    const clock = { now: () => now, confirmedNow: () => now };
    const instanceId = (await upkeep.readInstance())?.instanceId;
    return { packages, soundKeys, upkeep, clock, sounds, instanceId };
  }

  async #byWhom(): Promise<ByWhom> {
    return { who: this.#who, at: (await this.#time()).now };
  }

  /** Returns the relay's time, which is never behind the time that it kept, and the proven one. */
  async #time(): Promise<{ readonly now: number; readonly proven: number }> {
    const { clock, upkeep } = this.#stores.records;
    if (clock !== undefined) return { now: clock.now(), proven: clock.now() };
    const wall = this.#wall();
    const kept = await upkeep.readTime();
    return { now: Math.max(wall, kept ?? wall), proven: kept ?? wall };
  }

  get #engine(): Engine {
    return this.#stores.records.engine;
  }
}

function* countLeft(keys: readonly string[]): Work<number> {
  return (yield* ask(LEFT({ keys })))[0]?.n ?? 0;
}
