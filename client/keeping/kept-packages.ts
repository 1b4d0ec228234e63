import type { JsonObject } from "../../core/text/json-object.ts";
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

// The part of a browser's IndexedDB used here, because the client compiles without browser types.

interface IdbRequest<Result> {
  readonly result: Result;
  readonly error: unknown;
  addEventListener(type: "success" | "error" | "upgradeneeded", listener: () => void): void;
}

/** A store of objects by their `id`. */
interface IdbStore<Value> {
  get(key: string): IdbRequest<Value | undefined>;
  getAll(): IdbRequest<readonly Value[]>;
  put(value: Value): IdbRequest<unknown>;
  delete(key: string): IdbRequest<unknown>;
}

interface IdbTransaction {
  readonly error: unknown;
  objectStore<Value>(name: string): IdbStore<Value>;
  addEventListener(type: "complete" | "abort", listener: () => void): void;
}

interface IdbDatabase {
  createObjectStore(name: string, options: { readonly keyPath: string }): unknown;
  transaction(names: readonly string[], mode: "readonly" | "readwrite"): IdbTransaction;
  close(): void;
}

/** A database of object stores; its type parameter maps each store's name to what it holds. */
class ObjectDatabase<Stores extends object> {
  readonly #name: string;
  readonly #stores: readonly (keyof Stores & string)[];

  constructor(name: string, stores: readonly (keyof Stores & string)[]) {
    this.#name = name;
    this.#stores = stores;
  }

  /**
   * Runs one transaction over all stores, and resolves with a request's result once all is on disk.
   * @param act makes all requests and returns the one with the result; a callback of `ask` may make more
   * @throws the browser's error if it stores nothing for this page, or no more
   */
  async transact<Result>(
    mode: "readonly" | "readwrite",
    act: (
      storeOf: <Name extends keyof Stores & string>(name: Name) => IdbStore<Stores[Name]>,
    ) => IdbRequest<Result>,
  ): Promise<Result> {
    const database = await this.#open();
    try {
      return await new Promise<Result>((resolve, reject) => {
        const transaction = database.transaction(this.#stores, mode);
        const last = act((name) => transaction.objectStore(name));
        transaction.addEventListener("complete", () => resolve(last.result));
        transaction.addEventListener("abort", () => reject(transaction.error));
      });
    } finally {
      database.close();
    }
  }

  async #open(): Promise<IdbDatabase> {
    const indexedDb: unknown = Reflect.get(globalThis, "indexedDB");
    if (!isFactory(indexedDb)) throw new TypeError("There is no IndexedDB here.");
    const request = indexedDb.open(this.#name, 1);
    request.addEventListener("upgradeneeded", () => {
      for (const name of this.#stores) request.result.createObjectStore(name, { keyPath: "id" });
    });
    return new Promise((resolve, reject) => {
      request.addEventListener("success", () => resolve(request.result));
      request.addEventListener("error", () => reject(request.error));
    });
  }
}

/** Trusts that anything with this global name is the browser's own. */
function isFactory(
  found: unknown,
): found is { open(name: string, version: number): IdbRequest<IdbDatabase> } {
  return typeof found === "object" && found !== null;
}

/** Calls back with a request's result, inside the same transaction, and returns the request. */
function ask<Result>(
  request: IdbRequest<Result>,
  then: (result: Result) => void,
): IdbRequest<Result> {
  request.addEventListener("success", () => then(request.result));
  return request;
}
