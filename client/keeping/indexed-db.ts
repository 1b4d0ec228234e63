// The part of a browser's IndexedDB used here, because the client compiles without browser types.

interface IdbRequest<Result> {
  readonly result: Result;
  readonly error: unknown;
  onsuccess: (() => void) | null;
  onerror: (() => void) | null;
}

interface IdbOpenRequest extends IdbRequest<IdbDatabase> {
  onupgradeneeded: (() => void) | null;
}

export interface IdbStore {
  get(key: string): IdbRequest<unknown>;
  getAll(): IdbRequest<readonly unknown[]>;
  put(value: object): IdbRequest<unknown>;
  delete(key: string): IdbRequest<unknown>;
}

interface IdbTransaction {
  readonly error: unknown;
  objectStore(name: string): IdbStore;
  oncomplete: (() => void) | null;
  onabort: (() => void) | null;
}

interface IdbDatabase {
  createObjectStore(name: string, options: { readonly keyPath: string }): unknown;
  transaction(names: readonly string[], mode: "readonly" | "readwrite"): IdbTransaction;
  close(): void;
}

/** A database whose stores hold objects by their `id`. */
export class ObjectDatabase<Name extends string> {
  readonly #name: string;
  readonly #stores: readonly Name[];

  constructor(name: string, stores: readonly Name[]) {
    this.#name = name;
    this.#stores = stores;
  }

  /**
   * Runs one transaction over all stores, and resolves once it is on disk.
   * @param act asks for everything before it returns; a callback of `ask` may ask for more
   * @throws what the browser says if it stores nothing for this page, or no more
   */
  async transact(
    mode: "readonly" | "readwrite",
    act: (storeOf: (name: Name) => IdbStore) => void,
  ): Promise<void> {
    const database = await this.#open();
    try {
      await new Promise<void>((resolve, reject) => {
        const transaction = database.transaction(this.#stores, mode);
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => reject(transaction.error);
        act((name) => transaction.objectStore(name));
      });
    } finally {
      database.close();
    }
  }

  async #open(): Promise<IdbDatabase> {
    const indexedDb: unknown = Reflect.get(globalThis, "indexedDB");
    if (!isFactory(indexedDb)) throw new TypeError("There is no IndexedDB here.");
    const request = indexedDb.open(this.#name, 1);
    request.onupgradeneeded = () => {
      for (const name of this.#stores) request.result.createObjectStore(name, { keyPath: "id" });
    };
    return new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  }
}

/** Anything with that global name is the browser's own. */
function isFactory(
  found: unknown,
): found is { open(name: string, version: number): IdbOpenRequest } {
  return typeof found === "object" && found !== null;
}

/** Calls back with a request's result, inside the same transaction. */
export function ask<Result>(request: IdbRequest<Result>, then: (result: Result) => void): void {
  request.onsuccess = () => then(request.result);
}
