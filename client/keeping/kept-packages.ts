import type { JsonObject } from "../../core/text/json-object.ts";
import { ask, ObjectDatabase } from "./object-database.ts";
import { type Lease, type Leases, lockPackage } from "./lock-package.ts";

/** A package as it is kept, without the bytes of its sounds. */
export interface KeptPackage {
  /** Its `Idempotency-Key`. */
  readonly id: string;
  readonly isOwnKey: boolean;
  readonly relayUrl: string;
  /** Identifies the pairing without its secret; empty after it has ended. */
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

type PackageFacts = Partial<
  Pick<KeptPackage, "manifest" | "packageId" | "pairing" | "startedAtMs">
>;

/** A package without its pairing, which `add` adds. */
export type UnkeptPackage = Omit<KeptPackage, "pairing">;

/** A pairing at a relay. The token is empty for what ended pairings left. */
interface KeptBy {
  readonly relayUrl: string;
  readonly token: string;
}

/** The packages that last as long as this page, by id (rule W17). */
const OF_PAGE = new Map<string, { readonly kept: KeptPackage; readonly blobs: readonly Blob[] }>();

/** The packages that a browser keeps, for all pages of one origin, and those of this page. */
export class KeptPackages implements Leases {
  readonly #database = new ObjectDatabase<{
    packages: KeptPackage;
    sounds: KeptSounds;
    leases: Lease;
  }>("soundferry", ["packages", "sounds", "leases"]);

  /**
   * Lists the packages of a pairing, oldest first, and removes those of all that are older than that. A time in the future is
   * one of a clock that was set back: the package's time begins again.
   */
  async list(by: KeptBy, nowMs: number, keptForMs: number): Promise<readonly KeptPackage[]> {
    const left: KeptPackage[] = [];
    for (const one of await this.#all()) {
      if (one.startedAtMs < nowMs - keptForMs) await this.remove(one.id);
      else left.push({ ...one, startedAtMs: Math.min(one.startedAtMs, nowMs) });
      if (one.startedAtMs > nowMs) await this.record(one.id, { startedAtMs: nowMs });
    }
    return left.filter(isOf(by)).toSorted((one, other) => one.startedAtMs - other.startedAtMs);
  }

  /** A browser that stores nothing has none, and one that stored nothing yet gets no database for the look. */
  async #all(): Promise<readonly KeptPackage[]> {
    const ofPage = [...OF_PAGE.values()].map(({ kept }) => kept);
    try {
      if (!(await this.#database.exists())) return ofPage;
      const read = await this.#database.transact("readonly", (storeOf) =>
        storeOf("packages").getAll(),
      );
      return [...ofPage, ...read];
    } catch {
      return ofPage;
    }
  }

  /** Gives a pairing's packages to another token; removes them without one. */
  async move(by: KeptBy, to: string | undefined): Promise<void> {
    for (const { id } of (await this.#all()).filter(isOf(by))) {
      await (to === undefined ? this.remove(id) : this.record(id, { pairing: pairingOf(to) }));
    }
  }

  /** @param isOfPage true keeps it in memory only, until the page is left */
  async add(
    unkept: UnkeptPackage,
    blobs: readonly Blob[],
    { token, isOfPage }: { readonly token: string; readonly isOfPage: boolean },
  ): Promise<void> {
    const kept = { ...unkept, pairing: pairingOf(token) };
    if (isOfPage) return void OF_PAGE.set(kept.id, { kept, blobs });
    await this.#database.transact("readwrite", (storeOf) => {
      storeOf("packages").put(kept);
      return storeOf("sounds").put({ id: kept.id, blobs });
    });
  }

  /** Records facts about a package, if it is still kept. */
  async record(id: string, facts: PackageFacts): Promise<void> {
    const ofPage = OF_PAGE.get(id);
    if (ofPage !== undefined) {
      return void OF_PAGE.set(id, { ...ofPage, kept: { ...ofPage.kept, ...facts } });
    }
    await this.#database.transact("readwrite", (storeOf) => {
      const packages = storeOf("packages");
      return ask(packages.get(id), (kept) => {
        if (kept !== undefined) packages.put({ ...kept, ...facts });
      });
    });
  }

  /** Reads the sounds of a package; undefined if it is no longer kept. */
  async soundsOf(id: string): Promise<readonly Blob[] | undefined> {
    const ofPage = OF_PAGE.get(id);
    if (ofPage !== undefined) return ofPage.blobs;
    const found = await this.#database.transact("readonly", (storeOf) => storeOf("sounds").get(id));
    return found?.blobs;
  }

  async remove(id: string): Promise<void> {
    if (OF_PAGE.delete(id)) return;
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

function isOf({ relayUrl, token }: KeptBy): (kept: KeptPackage) => boolean {
  const pairing = pairingOf(token);
  return (kept) => kept.relayUrl === relayUrl && kept.pairing === pairing;
}

/** Returns a short hash of a token, which tells pairings apart without revealing the secret; empty without a token. */
function pairingOf(token: string): string {
  if (token === "") return "";
  let hash = 0x811c9dc5;
  for (const char of token) {
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash.toString(16);
}
