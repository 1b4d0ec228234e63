// The part of a browser's IndexedDB used here, because the client compiles without browser types.

interface IdbRequest<Result> {
  readonly result: Result;
  readonly error: unknown;
  addEventListener(type: "success" | "error" | "upgradeneeded", listener: () => void): void;
}

/** A store of objects by their `id`. */
export interface IdbStore<Value> {
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

/** A database; the type says what each of its stores holds. */
export class ObjectDatabase<Stores extends object> {
  readonly #name: string;
  readonly #stores: readonly (keyof Stores & string)[];

  constructor(name: string, stores: readonly (keyof Stores & string)[]) {
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
    act: (
      storeOf: <Name extends keyof Stores & string>(name: Name) => IdbStore<Stores[Name]>,
    ) => void,
  ): Promise<void> {
    const database = await this.#open();
    try {
      await new Promise<void>((resolve, reject) => {
        const transaction = database.transaction(this.#stores, mode);
        transaction.addEventListener("complete", resolve);
        transaction.addEventListener("abort", () => reject(transaction.error));
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
    request.addEventListener("upgradeneeded", () => {
      for (const name of this.#stores) request.result.createObjectStore(name, { keyPath: "id" });
    });
    return new Promise((resolve, reject) => {
      request.addEventListener("success", () => resolve(request.result));
      request.addEventListener("error", () => reject(request.error));
    });
  }
}

/** Anything with that global name is the browser's own. */
function isFactory(
  found: unknown,
): found is { open(name: string, version: number): IdbRequest<IdbDatabase> } {
  return typeof found === "object" && found !== null;
}

/** Calls back with a request's result, inside the same transaction. */
export function ask<Result>(request: IdbRequest<Result>, then: (result: Result) => void): void {
  request.addEventListener("success", () => then(request.result));
}
