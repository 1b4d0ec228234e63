import { isOwnRefusal } from "../../../../core/importer/relay-errors.ts";
import { newMutex } from "../../../../core/mutex.ts";
import type { ReceiveDatabase, StoredReport } from "../receive-database.ts";
import type { RelayCalls } from "./relay-calls.ts";

/** Sends stored reports until the relay has them (rule R2). */
export class Reports {
  readonly #database: ReceiveDatabase;
  readonly #calls: Pick<RelayCalls, "report">;
  readonly #inTurn = newMutex();

  constructor(database: ReceiveDatabase, calls: Pick<RelayCalls, "report">) {
    this.#database = database;
    this.#calls = calls;
  }

  /** Sends every stored report; those that don't arrive stay. @returns whether all arrived */
  async flush(): Promise<boolean> {
    const sent = await this.#inTurn(async () => {
      const waiting = (await this.#database.reports()).filter(({ isRefused }) => !isRefused);
      return Promise.all(waiting.map((report) => this.#send(report)));
    });
    return sent.every(Boolean);
  }

  /** Stores and sends a report of a package that no run is about, such as a dismissal. */
  async put(report: StoredReport): Promise<void> {
    await this.#database.putReport(report);
    await this.flush();
  }

  /** Drops a package's report if the relay doesn't have it yet and `isWanted` accepts it. */
  async withdraw(
    packageId: string,
    isWanted: (results: StoredReport["results"]) => boolean,
  ): Promise<void> {
    await this.#inTurn(async () => {
      const stored = await this.#database.reports();
      const found = stored.find((report) => report.packageId === packageId);
      if (found !== undefined && isWanted(found.results)) {
        await this.#database.forgetReport(packageId);
      }
    });
  }

  async #send(report: StoredReport): Promise<boolean> {
    const { packageId, results } = report;
    try {
      await this.#calls.report(packageId, results);
    } catch (error) {
      if (!isOwnRefusal(error)) return false;
      if (error.status === 422) await this.#database.putReport({ ...report, isRefused: true });
      if (error.code !== "PACKAGE_UNKNOWN") return false;
    }
    // A newer report may have been stored meanwhile.
    const now = (await this.#database.reports()).find((one) => one.packageId === packageId);
    if (JSON.stringify(now?.results) === JSON.stringify(results)) {
      await this.#database.forgetReport(packageId);
    }
    return true;
  }
}
