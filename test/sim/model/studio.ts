import type { Context } from "../../../relay/domain/context.ts";
import { sweep } from "../../../relay/domain/upkeep/sweep.ts";
import { noteSeen } from "../../../relay/domain/pairing/unpair.ts";
import { storedKeys, type UseCases } from "../../relay/domain/use-cases.ts";
import { answerCall } from "../answer-call.ts";
import { App } from "../app.ts";
import { type CalledRelay, type CallOptions, worldOf } from "../world.ts";
import { smallWav } from "../../wav-bytes.ts";
import type { Act, Outcome } from "./package-model.ts";
import { manifestOf } from "../../manifest-of.ts";

export const FILES = ["a.wav", "b.wav"];
const RESULTS: Readonly<Record<Outcome, readonly [string, string]>> = {
  imported: ["imported", "imported"],
  partial: ["imported", "skipped"],
  failed: ["failed", "skipped"],
};

/** A call's method, the path below the package, and the body. */
type Call = readonly [who: "app" | "importer", method: string, path: string, body?: object];

function callOf(act: Act): Call {
  switch (act.call) {
    case "upload":
      return ["app", "PUT", `/files/${act.file}`, smallWav()];
    case "download":
      return ["importer", "GET", `/files/${act.file}`];
    case "commit":
      return ["app", "POST", "/commit"];
    case "withdraw":
      return ["app", "DELETE", ""];
    case "take":
      return ["importer", "POST", "/take", { run_id: act.run, force: act.force }];
    case "report": {
      const [first, second] = RESULTS[act.outcome];
      const results = { 1: { status: first }, 2: { status: second } };
      return ["importer", "POST", "/results", { results }];
    }
  }
}

/** A relay with two computers, and two apps on each: the first two apps are on one computer. */
export class Studio {
  readonly cases: UseCases;
  readonly #apps: App[] = [];

  private constructor(cases: UseCases) {
    this.cases = cases;
  }

  static async open(cases: UseCases): Promise<Studio> {
    const studio = new Studio(cases);
    const call = (method: string, path: string, options?: CallOptions) =>
      answerCall(cases.context, `${method} ${path}`, options);
    const world = worldOf({ call, wasClockWrong: false });
    for (const name of ["Studio", "Stage"]) {
      const first = await App.paired(world, name);
      studio.#apps.push(first, await first.another(`${name} too`));
    }
    return studio;
  }

  get now(): number {
    return this.cases.clock.time;
  }

  async announce(index: number): Promise<string> {
    const body = manifestOf(FILES);
    return (await this.#app(index).asApp(201, "POST", "/packages", { body })).json.package_id;
  }

  /** Returns the HTTP status. @param index of the app, whose computer has the importer */
  async act(index: number, id: string, act: Act): Promise<number> {
    const [who, method, path, body] = callOf(act);
    const base = who === "app" ? "/packages" : "/importer/packages";
    const token = this.#app(index).facts[who];
    const answer = await this.#relay.call(method, `${base}/${id}${path}`, { token, body });
    const isDownloaded = act.call === "download" && answer.status === 200;
    if (isDownloaded && !answer.body.equals(smallWav())) throw new Error(`${path} is not whole.`);
    return answer.status;
  }

  /** The app revokes its token, its computer pairs it again. */
  async unpair(index: number): Promise<void> {
    await this.#app(index).unpair();
    await this.#app(index).pair();
  }

  /** Time goes on, or the clock is set back, and everyone is seen. */
  async pass(ms: number): Promise<void> {
    this.cases.clock.time += ms;
    for (const { facts } of this.#apps) await this.#context.known.device(facts.importer ?? "");
    await noteSeen(this.#context);
  }

  sweep(): Promise<void> {
    return sweep(this.#context);
  }

  /** Reads the app's view of the package, and its lease; 404 if the app finds none. */
  async look(index: number, id: string) {
    const token = this.#app(index).facts.app;
    const { status, json } = await this.#relay.call("GET", `/packages/${id}/status`, { token });
    if (status === 404) return 404;
    const lease = (await this.#context.packages.find(id))?.life.lease ?? null;
    const uploaded = FILES.filter((file) => json.files[file] === "uploaded");
    return { status: json.status, uploaded, lease };
  }

  async importableIds(index: number): Promise<readonly string[]> {
    const { json } = await this.#app(index).asImporter(200, "GET", "/packages");
    return json.packages.map((one: { package_id: string }) => one.package_id).toSorted();
  }

  /** Counts the sounds that the store holds of each package. */
  async storedCounts(): Promise<ReadonlyMap<string, number>> {
    const ids = (await storedKeys(this.cases)).map((key) => key.split("/")[0] ?? "");
    return new Map([...Map.groupBy(ids, (id) => id)].map(([id, keys]) => [id, keys.length]));
  }

  get #context(): Context {
    return this.cases.context;
  }

  get #relay(): CalledRelay {
    return this.#app(0).world.relay;
  }

  #app(index: number): App {
    const app = this.#apps[index];
    if (app === undefined) throw new RangeError(`There is no app ${index}.`);
    return app;
  }
}
