import type { JsonObject } from "../../../core/text/json-object.ts";
import { ask, ObjectDatabase } from "./indexed-db.ts";

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
  /** Once it is hashed. */
  readonly manifest?: JsonObject;
  /** Once it is announced. */
  readonly packageId?: string;
}

/** Bytes of a package's sounds, in its order. They have a store of their own, so that notes cost little. */
interface KeptSounds {
  readonly id: string;
  readonly blobs: readonly Blob[];
}

/** Who sends a package now, where browsers have no locks. */
export interface Lease {
  readonly id: string;
  readonly owner: string;
  readonly untilMs: number;
}

/** What is kept of packages, for all pages of one origin. */
export class KeptPackages {
  readonly #database = new ObjectDatabase<{
    packages: KeptPackage;
    sounds: KeptSounds;
    leases: Lease;
  }>("soundferry", ["packages", "sounds", "leases"]);

  async list(): Promise<readonly KeptPackage[]> {
    let found: readonly KeptPackage[] = [];
    await this.#database.transact("readonly", (storeOf) =>
      ask(storeOf("packages").getAll(), (all) => {
        found = all;
      }),
    );
    return found;
  }

  async add(kept: KeptPackage, blobs: readonly Blob[]): Promise<void> {
    await this.#database.transact("readwrite", (storeOf) => {
      storeOf("packages").put(kept);
      storeOf("sounds").put({ id: kept.id, blobs });
    });
  }

  /** Notes something about a package, if it is still kept. */
  async note(id: string, facts: Pick<KeptPackage, "manifest" | "packageId">): Promise<void> {
    await this.#database.transact("readwrite", (storeOf) => {
      const packages = storeOf("packages");
      ask(packages.get(id), (kept) => {
        if (kept !== undefined) packages.put({ ...kept, ...facts });
      });
    });
  }

  /** undefined if the package is no longer kept. */
  async soundsOf(id: string): Promise<readonly Blob[] | undefined> {
    let found: KeptSounds | undefined;
    await this.#database.transact("readonly", (storeOf) =>
      ask(storeOf("sounds").get(id), (sounds) => {
        found = sounds;
      }),
    );
    return found?.blobs;
  }

  async remove(id: string): Promise<void> {
    await this.#database.transact("readwrite", (storeOf) => {
      storeOf("packages").delete(id);
      storeOf("sounds").delete(id);
    });
  }

  /** Takes or renews a lease; false while another owner has it. */
  async lease(wanted: Lease, nowMs: number): Promise<boolean> {
    let isOurs = false;
    await this.#database.transact("readwrite", (storeOf) => {
      const leases = storeOf("leases");
      ask(leases.get(wanted.id), (lease) => {
        isOurs = lease === undefined || lease.owner === wanted.owner || lease.untilMs <= nowMs;
        if (isOurs) leases.put(wanted);
      });
    });
    return isOurs;
  }

  async endLease(id: string): Promise<void> {
    await this.#database.transact("readwrite", (storeOf) => {
      storeOf("leases").delete(id);
    });
  }
}
