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
  /** @param key a key, or an `IDBKeyRange` */
  delete(key: unknown): IdbRequest<unknown>;
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
export class ObjectDatabase<Stores extends object> {
  readonly #name: string;
  readonly #stores: readonly (keyof Stores & string)[];

  constructor(name: string, stores: readonly (keyof Stores & string)[]) {
    this.#name = name;
    this.#stores = stores;
  }

  /** Checks whether there is one; true where the browser can't tell. */
  async exists(): Promise<boolean> {
    const found = await factory().databases?.();
    return found === undefined || found.some(({ name }) => name === this.#name);
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
    const request = factory().open(this.#name, 1);
    request.addEventListener("upgradeneeded", () => {
      for (const name of this.#stores) request.result.createObjectStore(name, { keyPath: "id" });
    });
    return new Promise((resolve, reject) => {
      request.addEventListener("success", () => resolve(request.result));
      request.addEventListener("error", () => reject(request.error));
    });
  }
}

interface IdbFactory {
  open(name: string, version: number): IdbRequest<IdbDatabase>;
  /** Missing in older browsers. */
  databases?(): Promise<readonly { readonly name?: string }[]>;
}

function factory(): IdbFactory {
  const found: unknown = Reflect.get(globalThis, "indexedDB");
  if (!isFactory(found)) throw new TypeError("There is no IndexedDB here.");
  return found;
}

/** Trusts that anything with this global name is the browser's own. */
function isFactory(found: unknown): found is IdbFactory {
  return typeof found === "object" && found !== null;
}

/** Calls back with a request's result, inside the same transaction, and returns the request. */
export function ask<Result>(
  request: IdbRequest<Result>,
  then: (result: Result) => void,
): IdbRequest<Result> {
  request.addEventListener("success", () => then(request.result));
  return request;
}
