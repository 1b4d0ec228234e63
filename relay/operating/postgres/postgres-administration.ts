import type { PackageRecord, SwitchName } from "../../domain/ports.ts";
import { deleteUnused } from "../../domain/upkeep/doomed-sounds.ts";
import { erasingQuarantined } from "../../domain/upkeep/quarantine.ts";
import { operatorDecisions } from "../../storage/postgres/operator-decisions.ts";
import { operatorRemovals } from "../../storage/postgres/operator-removals.ts";
import type { PostgresDatabase } from "../../storage/postgres/postgres-database.ts";
import { statement } from "../../storage/postgres/statement.ts";
import type { OperatedSounds } from "../open-operated.ts";
import type {
  ActingOptions,
  BlockSubject,
  Denied,
  Erased,
  OperatorActions,
  Removed,
} from "../operator-actions.ts";

// A manifest without the sum in its text can't be a match, so it isn't parsed.
const CANDIDATES = statement(
  "denial_candidates",
  `SELECT package_id FROM packages JOIN manifests USING (package_id)
   WHERE files_deleted = 0 AND position($1 IN manifest) > 0 ORDER BY package_id`,
);
const LEFT = statement(
  "keys_left",
  "SELECT count(*) AS n FROM sound_keys WHERE key = ANY($1::text[])",
);

/** An operator's changes to records in PostgreSQL. The database notifies every relay of each change. */
export class PostgresAdministration implements OperatorActions, AsyncDisposable {
  readonly #database: PostgresDatabase;
  readonly #sounds: OperatedSounds & Partial<AsyncDisposable>;
  readonly #instanceId: string | undefined;
  readonly #who: string;
  readonly #decisions: ReturnType<typeof operatorDecisions>;
  readonly #removals: ReturnType<typeof operatorRemovals>;

  private constructor(
    database: PostgresDatabase,
    sounds: OperatedSounds & Partial<AsyncDisposable>,
    { who, instanceId }: { readonly who: string; readonly instanceId: string | undefined },
  ) {
    this.#database = database;
    this.#sounds = sounds;
    this.#instanceId = instanceId;
    this.#who = who;
    this.#decisions = operatorDecisions(database.connections);
    this.#removals = operatorRemovals(database.connections);
  }

  /** Opens the records. Owns database and sounds from then on. */
  static async open(
    database: PostgresDatabase,
    sounds: OperatedSounds & Partial<AsyncDisposable>,
    { who }: ActingOptions,
  ): Promise<PostgresAdministration> {
    try {
      const instanceId = (await database.upkeep.read()).instance?.instanceId;
      return new PostgresAdministration(database, sounds, { who, instanceId });
    } catch (error) {
      await database[Symbol.asyncDispose]();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#database[Symbol.asyncDispose]();
    await this.#sounds[Symbol.asyncDispose]?.();
  }

  block({ subject, kind }: BlockSubject, isBlocked: boolean): Promise<boolean> {
    const by = this.#byWhom();
    return isBlocked
      ? this.#decisions.block(subject, kind, by)
      : this.#decisions.unblock(subject, by);
  }

  turn(name: SwitchName, isOff: boolean, sentence?: string): Promise<boolean> {
    const by = this.#byWhom();
    return isOff ? this.#decisions.turnOff(name, sentence, by) : this.#decisions.turnOn(name, by);
  }

  /** Denies a sound. Also removes copies that arrived during a denial, or that an interrupted one left. */
  async deny(sha256: string): Promise<Denied> {
    const by = this.#byWhom();
    const isNew = await this.#decisions.deny(sha256, by);
    const rows = await this.#database.connections.readSlowly<{ package_id: string }>(CANDIDATES, [
      sha256,
    ]);
    const doomed = new Map<string, readonly string[]>();
    for (const { package_id: packageId } of rows) {
      const keys = await this.#takeOut(packageId, sha256);
      if (keys.length > 0) doomed.set(packageId, keys);
    }
    const packages = [...doomed.keys()];
    if (packages.length > 0) {
      await this.#decisions.detailDenial(sha256, JSON.stringify(packages), by, isNew);
    }
    return { isNew, packages, ...(await this.#delete([...doomed.values()].flat())) };
  }

  allow(sha256: string): Promise<boolean> {
    return this.#decisions.allow(sha256, this.#byWhom());
  }

  revoke(id: string): Promise<Removed | undefined> {
    return this.#remove(id.startsWith("dev_") ? "revokeDevice" : "revokePairing", id);
  }

  purge(id: string): Promise<Removed | undefined> {
    return this.#remove(id.startsWith("dev_") ? "purgeDevice" : "purgePackage", id);
  }

  async erase(id: string): Promise<Erased | undefined> {
    const removed = await this.#remove("eraseDevice", id);
    return removed && { ...removed, isOverwritten: undefined };
  }

  noteExport(id: string): Promise<void> {
    return this.#decisions.log(this.#byWhom(), { action: "export", subject: id });
  }

  /** Takes the copies of a sound out of a package. Returns their keys. */
  async #takeOut(packageId: string, sha256: string): Promise<readonly string[]> {
    const { packages } = this.#database;
    for (;;) {
      const record = await packages.find(packageId);
      const files = record === undefined ? new Map<string, string>() : copiesIn(record, sha256);
      if (record === undefined || files.size === 0) return [];
      const uploaded = new Map([...record.uploaded].filter(([file]) => !files.has(file)));
      if ((await packages.update({ ...record, uploaded })) === "updated") {
        return [...files.values()];
      }
    }
  }

  async #remove(
    how: keyof ReturnType<typeof operatorRemovals>,
    id: string,
  ): Promise<Removed | undefined> {
    const removal = { id, now: this.#database.clock.now(), ...this.#byWhom() };
    const removed = await erasingQuarantined(this.#deletion(), () => this.#removals[how](removal));
    return removed && this.#delete(removed.doomed);
  }

  /** Deletes sounds. Those that can't be deleted now stay doomed for the next sweep of a relay. */
  async #delete(keys: readonly string[]): Promise<Removed> {
    await deleteUnused(this.#deletion(), keys);
    const [left] = await this.#database.connections.readSlowly<{ n: number }>(LEFT, [keys]);
    return { files: keys.length, waiting: left?.n ?? 0 };
  }

  #deletion() {
    const { packages, soundKeys, upkeep, clock } = this.#database;
    const time = { now: () => clock.now(), confirmedNow: () => clock.now() };
    const stores = { packages, soundKeys, upkeep, sounds: this.#sounds };
    return { ...stores, clock: time, instanceId: this.#instanceId };
  }

  #byWhom() {
    return { who: this.#who, at: this.#database.clock.now() };
  }
}

/** Returns the copies of a sound in a package: file name → key. */
function copiesIn(record: PackageRecord, sha256: string): ReadonlyMap<string, string> {
  if (record.filesDeleted) return new Map();
  return new Map(
    record.manifest.items.flatMap(({ file, sha256: sum }) => {
      const key = record.uploaded.get(file);
      return sum === sha256 && key !== undefined ? [[file, key] as const] : [];
    }),
  );
}
