import type { Context } from "../../relay/domain/context.ts";
import { commitPackage } from "../../relay/domain/commit-package.ts";
import { findDownload } from "../../relay/domain/importable.ts";
import type { KnownApp } from "../../relay/domain/known-tokens.ts";
import { readStatus } from "../../relay/domain/read-status.ts";
import { reportResults } from "../../relay/domain/report-results.ts";
import { sweep } from "../../relay/domain/sweep.ts";
import { takePackage } from "../../relay/domain/take-package.ts";
import { unpairToken } from "../../relay/domain/unpair.ts";
import { withdraw } from "../../relay/domain/withdraw-package.ts";
import { Refusal } from "../../core/protocol/refusal.ts";
import { listAll } from "../relay/domain/list-all.ts";
import {
  announced,
  manifestOf,
  pair,
  register,
  storedKeys,
  upload,
  type UseCases,
} from "../relay/domain/use-cases.ts";
import type { Outcome } from "./package-model.ts";

const APPS = ["looper", "drummer"] as const;
export const FILES = ["a.wav", "b.wav"];
const RESULTS: Readonly<Record<Outcome, readonly [string, string]>> = {
  imported: ["imported", "imported"],
  partial: ["imported", "skipped"],
  failed: ["failed", "skipped"],
};

/** A relay with two computers, and two apps on each. */
export class Studio {
  readonly cases: UseCases;
  readonly #apps: KnownApp[];

  private constructor(cases: UseCases, apps: KnownApp[]) {
    this.cases = cases;
    this.#apps = apps;
  }

  static async open(cases: UseCases): Promise<Studio> {
    const apps: KnownApp[] = [];
    for (const name of ["Studio", "Stage"]) {
      const { deviceId } = await register(cases, name);
      for (const app of APPS) apps.push(await knownApp(cases, deviceId, app));
    }
    return new Studio(cases, apps);
  }

  get now(): number {
    return this.cases.clock.time;
  }

  get appCount(): number {
    return this.#apps.length;
  }

  /** @param appIndex the first two are on one computer, the others on another */
  appAt(appIndex: number): KnownApp {
    const app = this.#apps[appIndex];
    if (app === undefined) throw new RangeError(`There is no app ${appIndex}.`);
    return app;
  }

  async announce(appIndex: number): Promise<string> {
    const app = this.appAt(appIndex);
    return (await announced(this.cases, app, manifestOf(FILES))).package_id;
  }

  upload(appIndex: number, packageId: string, file: string): Promise<number> {
    return answerOf(upload(this.cases, this.appAt(appIndex), packageId, { file }));
  }

  commit(appIndex: number, packageId: string): Promise<number> {
    return answerOf(commitPackage(this.#context, this.appAt(appIndex), packageId));
  }

  withdraw(appIndex: number, packageId: string): Promise<number> {
    return answerOf(withdraw(this.#context, this.appAt(appIndex), packageId));
  }

  take(appIndex: number, packageId: string, run: { run_id: string; force: boolean }) {
    const { deviceId } = this.appAt(appIndex);
    return answerOf(takePackage(this.#context, deviceId, packageId, run));
  }

  report(appIndex: number, packageId: string, outcome: Outcome): Promise<number> {
    const [first, second] = RESULTS[outcome];
    const results = { 1: { status: first }, 2: { status: second } };
    const { deviceId } = this.appAt(appIndex);
    return answerOf(reportResults(this.#context, deviceId, packageId, { results }));
  }

  /** Reads the whole file. */
  async download(appIndex: number, packageId: string, file: string): Promise<number> {
    const { deviceId } = this.appAt(appIndex);
    return answerOf(
      (async () => {
        const download = await findDownload(this.#context, deviceId, packageId, file);
        const { sizeBytes } = download;
        let readBytes = 0;
        for await (const piece of await download.read({ start: 0, end: sizeBytes - 1 })) {
          readBytes += piece.byteLength;
        }
        if (readBytes !== sizeBytes) throw new Error(`${file} has ${readBytes} bytes.`);
      })(),
    );
  }

  /** The app revokes its token, its computer pairs it again. */
  async unpair(appIndex: number): Promise<void> {
    const app = this.appAt(appIndex);
    await unpairToken(this.#context, app);
    this.#apps[appIndex] = await knownApp(this.cases, app.deviceId, app.appId);
  }

  /** Time goes on, or the clock is set back, and everyone is seen. */
  async pass(ms: number): Promise<void> {
    this.cases.clock.time += ms;
    const devices = new Map(this.#apps.map(({ deviceId }) => [deviceId, this.now]));
    await this.#context.pairings.noteSeen({ devices, pairings: new Map() });
  }

  sweep(): Promise<void> {
    return sweep(this.#context);
  }

  /** What the package's app reads of it, and its lease; 404 if the app finds none. */
  async look(appIndex: number, packageId: string) {
    try {
      const json = await readStatus(this.#context, this.appAt(appIndex), packageId);
      const { status, files } = JSON.parse(json);
      const lease = (await this.#context.packages.find(packageId))?.life.lease ?? null;
      return { status, uploaded: FILES.filter((file) => files[file] === "uploaded"), lease };
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) return 404;
      throw error;
    }
  }

  async importableIds(appIndex: number): Promise<readonly string[]> {
    const { deviceId } = this.appAt(appIndex);
    const listed = await listAll(this.#context, deviceId);
    return listed.map(({ package_id: packageId }) => packageId).toSorted();
  }

  /** How many sounds the store holds of each package. */
  async storedCounts(): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    for (const key of await storedKeys(this.cases)) {
      const [packageId = ""] = key.split("/");
      counts.set(packageId, (counts.get(packageId) ?? 0) + 1);
    }
    return counts;
  }

  get #context(): Context {
    return this.cases.context;
  }
}

async function knownApp(cases: UseCases, deviceId: string, appId: string): Promise<KnownApp> {
  return cases.context.known.app(await pair(cases, deviceId, appId));
}

/** The HTTP status of a call. */
async function answerOf(call: Promise<unknown>): Promise<number> {
  try {
    await call;
    return 200;
  } catch (error) {
    if (error instanceof Refusal) return error.status;
    throw error;
  }
}
