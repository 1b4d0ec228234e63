import { ObjectDatabase } from "../../../client/keeping/object-database.ts";
import type { StoredTurns } from "../../../core/layout/color-turns.ts";
import type { SoundResults } from "../../../core/protocol/package-status.ts";
import type { PanelFinishedRun } from "../../../core/protocol/panel-api.ts";

/** This browser's identity at its relay. The token is stored nowhere else. */
export interface StoredIdentity {
  readonly token: string;
  readonly deviceId: string;
  /** The relay's instance that made it (rule P9). */
  readonly instance: string | undefined;
  readonly deviceName: string;
}

export interface StoredSettings {
  readonly place: "zip" | "folder" | null;
  readonly folder?: FileSystemDirectoryHandle;
  readonly writesLiveSet: boolean;
  readonly dismissed: readonly string[];
  readonly turns: StoredTurns;
}

/** An import that has begun and has no result yet. */
export interface StoredRun {
  readonly packageId: string;
  readonly runId: string;
  readonly title: string;
  readonly soundIds?: readonly string[];
  readonly isOfAll: boolean;
  /** True if it ended without a result: it goes on when a person imports the package again. */
  readonly isOver: boolean;
}

/** Results that the relay may not have yet. */
export interface StoredReport {
  readonly packageId: string;
  readonly results: SoundResults;
  /** True if the relay will never take it. */
  readonly isRefused: boolean;
}

interface Stores {
  readonly values: { readonly id: string; readonly value: unknown };
  readonly runs: { readonly id: string; readonly value: StoredRun };
  readonly reports: { readonly id: string; readonly value: StoredReport };
  readonly finished: { readonly id: string; readonly value: PanelFinishedRun };
}

export const NO_SETTINGS: StoredSettings = {
  place: null,
  writesLiveSet: false,
  dismissed: [],
  turns: { next: 0, turns: new Map() },
};

/** The knowledge of an importer in a browser, in IndexedDB (rule RC2). All of it is on the disk once a call resolves. */
export class ReceiveDatabase {
  readonly #name: string;
  readonly #database: ObjectDatabase<Stores>;

  constructor(name = "soundferry-receive") {
    this.#name = name;
    this.#database = new ObjectDatabase(name, ["values", "runs", "reports", "finished"]);
  }

  /** Checks whether there is anything, without making it. */
  exists(): Promise<boolean> {
    return this.#database.exists();
  }

  async identity(): Promise<StoredIdentity | undefined> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- stored by this class
    return (await this.#value("identity")) as StoredIdentity | undefined;
  }

  async settings(): Promise<StoredSettings> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- stored by this class
    return ((await this.#value("settings")) as StoredSettings | undefined) ?? NO_SETTINGS;
  }

  async putIdentity(value: StoredIdentity): Promise<void> {
    await this.#put("values", "identity", value);
  }

  async putSettings(value: StoredSettings): Promise<void> {
    await this.#put("values", "settings", value);
  }

  runs(): Promise<readonly StoredRun[]> {
    return this.#all("runs");
  }

  reports(): Promise<readonly StoredReport[]> {
    return this.#all("reports");
  }

  finished(): Promise<readonly PanelFinishedRun[]> {
    return this.#all("finished");
  }

  async putRun(value: StoredRun): Promise<void> {
    await this.#put("runs", value.packageId, value);
  }

  async putReport(value: StoredReport): Promise<void> {
    await this.#put("reports", value.packageId, value);
  }

  /** Ends a run: its report is stored in the transaction that forgets the run. */
  async endRun(finished: PanelFinishedRun, report?: StoredReport): Promise<void> {
    const { packageId: id } = finished;
    await this.#database.transact("readwrite", (storeOf) => {
      if (report !== undefined) storeOf("reports").put({ id, value: report });
      storeOf("finished").put({ id, value: finished });
      return storeOf("runs").delete(id);
    });
  }

  async forgetRun(packageId: string): Promise<void> {
    await this.#database.transact("readwrite", (storeOf) => storeOf("runs").delete(packageId));
  }

  async forgetReport(packageId: string): Promise<void> {
    await this.#database.transact("readwrite", (storeOf) => storeOf("reports").delete(packageId));
  }

  /** Keeps the finished runs of these packages only. */
  async keepFinished(packageIds: ReadonlySet<string>): Promise<void> {
    for (const { packageId } of await this.finished()) {
      if (packageIds.has(packageId)) continue;
      await this.#database.transact("readwrite", (storeOf) =>
        storeOf("finished").delete(packageId),
      );
    }
  }

  /** Deletes everything. */
  async delete(): Promise<void> {
    const request = indexedDB.deleteDatabase(this.#name);
    await new Promise<void>((resolve, reject) => {
      request.addEventListener("success", () => resolve());
      request.addEventListener("error", () => reject(request.error));
    });
  }

  async #value(id: string): Promise<unknown> {
    const found = await this.#database.transact("readonly", (storeOf) => storeOf("values").get(id));
    return found?.value;
  }

  async #all<Name extends "runs" | "reports" | "finished">(
    name: Name,
  ): Promise<readonly Stores[Name]["value"][]> {
    const found = await this.#database.transact("readonly", (storeOf) => storeOf(name).getAll());
    return found.map(({ value }) => value);
  }

  async #put<Name extends keyof Stores>(
    name: Name,
    id: string,
    value: Stores[Name]["value"],
  ): Promise<void> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the members of any store
    const entry = { id, value } as Stores[Name];
    await this.#database.transact("readwrite", (storeOf) => storeOf(name).put(entry));
  }
}
