import type { JsonObject } from "../../core/text/json-object.ts";
import { ask, ObjectDatabase } from "./object-database.ts";
import { type Lease, type Leases, lockPackage } from "./lock-package.ts";

/** A package as it is kept, without the bytes of its sounds. */
export interface KeptPackage {
  /** Its `Idempotency-Key`. */
  readonly id: string;
  readonly isOwnKey: boolean;
  readonly relayUrl: string;
  /** Identifies the pairing without its secret. */
  readonly pairing: string;
  readonly startedAtMs: number;
  readonly head: JsonObject;
  readonly sounds: readonly { readonly file: string; readonly item: JsonObject }[];
  readonly totalBytes: number;
  /** undefined until it is hashed. */
  readonly manifest?: JsonObject;
  /** undefined until it is announced. */
  readonly packageId?: string;
}

/** Bytes of a package's sounds, in its order. They have a store of their own, so that updates cost little. */
interface KeptSounds {
  readonly id: string;
  readonly blobs: readonly Blob[];
}

/** The packages that a browser keeps, for all pages of one origin. */
export class KeptPackages implements Leases {
  readonly #database = new ObjectDatabase<{
    packages: KeptPackage;
    sounds: KeptSounds;
    leases: Lease;
  }>("soundferry", ["packages", "sounds", "leases"]);

  async list(): Promise<readonly KeptPackage[]> {
    return this.#database.transact("readonly", (storeOf) => storeOf("packages").getAll());
  }

  async add(kept: KeptPackage, blobs: readonly Blob[]): Promise<void> {
    await this.#database.transact("readwrite", (storeOf) => {
      storeOf("packages").put(kept);
      return storeOf("sounds").put({ id: kept.id, blobs });
    });
  }

  /** Records facts about a package, if it is still kept. */
  async record(id: string, facts: Pick<KeptPackage, "manifest" | "packageId">): Promise<void> {
    await this.#database.transact("readwrite", (storeOf) => {
      const packages = storeOf("packages");
      return ask(packages.get(id), (kept) => {
        if (kept !== undefined) packages.put({ ...kept, ...facts });
      });
    });
  }

  /** Reads the sounds of a package; undefined if it is no longer kept. */
  async soundsOf(id: string): Promise<readonly Blob[] | undefined> {
    const found = await this.#database.transact("readonly", (storeOf) => storeOf("sounds").get(id));
    return found?.blobs;
  }

  async remove(id: string): Promise<void> {
    await this.#database.transact("readwrite", (storeOf) => {
      storeOf("packages").delete(id);
      return storeOf("sounds").delete(id);
    });
  }

  /** Keeps other tabs from sending a package; undefined while one of them does. */
  async lock(id: string): Promise<(() => void) | undefined> {
    return lockPackage(id, this);
  }

  async lease(wanted: Lease, nowMs: number): Promise<boolean> {
    let isOurs = false;
    await this.#database.transact("readwrite", (storeOf) => {
      const leases = storeOf("leases");
      return ask(leases.get(wanted.id), (lease) => {
        isOurs = lease === undefined || lease.owner === wanted.owner || lease.untilMs <= nowMs;
        if (isOurs) leases.put(wanted);
      });
    });
    return isOurs;
  }

  async endLease(id: string): Promise<void> {
    await this.#database.transact("readwrite", (storeOf) => storeOf("leases").delete(id));
  }
}
