import type { Context } from "../../relay/domain/context.ts";
import { sweep } from "../../relay/domain/sweep.ts";
import { noteSeen } from "../../relay/domain/unpair.ts";
import { storedKeys, type UseCases } from "../relay/domain/use-cases.ts";
import { answerCall } from "../sim/answer-call.ts";
import type { Answer } from "../sim/world.ts";
import { smallWav } from "../wav-bytes.ts";
import type { Act, Outcome } from "./package-model.ts";
import { manifestOf } from "../manifest-of.ts";

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
  readonly #apps: { readonly importer: string; app: string }[] = [];

  private constructor(cases: UseCases) {
    this.cases = cases;
  }

  static async open(cases: UseCases): Promise<Studio> {
    const studio = new Studio(cases);
    for (const name of ["Studio", "Stage"]) {
      const body = { device_name: name };
      const { json } = await studio.#call("POST /importer/register", undefined, body);
      for (const _ of [1, 2]) {
        studio.#apps.push({ importer: json.importer_token, app: "" });
        await studio.#pair(studio.#apps.length - 1);
      }
    }
    return studio;
  }

  get now(): number {
    return this.cases.clock.time;
  }

  async announce(index: number): Promise<string> {
    return (await this.#call("POST /packages", this.#app(index).app, manifestOf(FILES))).json
      .package_id;
  }

  /** Returns the HTTP status. @param index of the app, whose computer has the importer */
  async act(index: number, id: string, act: Act): Promise<number> {
    const [who, method, path, body] = callOf(act);
    const base = who === "app" ? "/packages" : "/importer/packages";
    const call = `${method} ${base}/${id}${path}`;
    const answer = await this.#call(call, this.#app(index)[who], body);
    const isDownloaded = act.call === "download" && answer.status === 200;
    if (isDownloaded && !answer.body.equals(smallWav())) throw new Error(`${call} is not whole.`);
    return answer.status;
  }

  /** The app revokes its token, its computer pairs it again. */
  async unpair(index: number): Promise<void> {
    await this.#call("POST /app/unpair", this.#app(index).app);
    await this.#pair(index);
  }

  /** Time goes on, or the clock is set back, and everyone is seen. */
  async pass(ms: number): Promise<void> {
    this.cases.clock.time += ms;
    for (const { importer } of this.#apps) await this.#context.known.device(importer);
    await noteSeen(this.#context);
  }

  sweep(): Promise<void> {
    return sweep(this.#context);
  }

  /** What the package's app reads of it, and its lease; 404 if the app finds none. */
  async look(index: number, id: string) {
    const { status, json } = await this.#call(`GET /packages/${id}/status`, this.#app(index).app);
    if (status === 404) return 404;
    const lease = (await this.#context.packages.find(id))?.life.lease ?? null;
    const uploaded = FILES.filter((file) => json.files[file] === "uploaded");
    return { status: json.status, uploaded, lease };
  }

  async importableIds(index: number): Promise<readonly string[]> {
    const { json } = await this.#call("GET /importer/packages", this.#app(index).importer);
    return json.packages.map((one: { package_id: string }) => one.package_id).toSorted();
  }

  /** How many sounds the store holds of each package. */
  async storedCounts(): Promise<ReadonlyMap<string, number>> {
    const ids = (await storedKeys(this.cases)).map((key) => key.split("/")[0] ?? "");
    return new Map([...Map.groupBy(ids, (id) => id)].map(([id, keys]) => [id, keys.length]));
  }

  get #context(): Context {
    return this.cases.context;
  }

  #app(index: number) {
    const app = this.#apps[index];
    if (app === undefined) throw new RangeError(`There is no app ${index}.`);
    return app;
  }

  async #pair(index: number): Promise<void> {
    const { importer } = this.#app(index);
    const { code } = (await this.#call("POST /importer/pairing-code", importer)).json;
    const claim = { code, app_name: "Looper", app_id: `app ${index}` };
    this.#app(index).app = (await this.#call("POST /pair/claim", undefined, claim)).json.app_token;
  }

  #call(call: string, token: string | undefined, body?: object): Promise<Answer> {
    return answerCall(this.#context, call, { token, body });
  }
}
