import { createHash } from "node:crypto";
import { smallWav } from "../wav-bytes.ts";
import { type HttpAnswer, type HttpCall, httpCall, patiently, type Target } from "./http-call.ts";

/** A registered computer and an app that is paired with it. */
export interface Computer {
  /** The address that the trusted proxy names. */
  readonly from?: string | undefined;
  readonly importer: string;
  readonly app: string;
}

/** An address in a /64 of its own: `index` counts /64s, in /48s of 65,536 each. */
export function address6(index: number, site = 0): string {
  return `2001:db8:${(site + Math.floor(index / 65_536)).toString(16)}:${(index % 65_536).toString(16)}::1`;
}

/** An address in a /48 of its own. */
export function siteAddress(site: number): string {
  return address6(0, site);
}

/** A small sound. */
export const WAV = smallWav();

/** A manifest of `count` sounds; without `sizeBytes` they are `WAV`. */
export function manifest(count = 1, sizeBytes = WAV.byteLength): Record<string, unknown> {
  const sha256 = createHash("sha256").update(WAV).digest("hex");
  const sound = (index: number) => ({ file: `sound-${index + 1}.wav`, bytes: sizeBytes, sha256 });
  const items = Array.from({ length: count }, (_, index) => sound(index));
  return { schema: "app2host/1", title: "Abuse", source: { app: "Abuse" }, items };
}

type CallRest = Omit<HttpCall, "path" | "token" | "from">;

/** Somebody at an address of their own, with a computer and an app. Calls throw nothing unless they say so. */
export class Stranger implements Computer {
  readonly relay: Target;
  readonly from: string | undefined;
  readonly importer: string;
  readonly app: string;

  constructor(relay: Target, { from, importer = "", app = "" }: Partial<Computer> = {}) {
    this.relay = relay;
    this.from = from;
    this.importer = importer;
    this.app = app;
  }

  /** Registers a computer. @throws {Error} if the relay refuses */
  static async register(relay: Target, from?: string): Promise<Stranger> {
    const call = { path: "/importer/register", from, body: { device_name: "Studio" } };
    const { json } = expectStatus(await httpCall(relay, call), 201);
    return new Stranger(relay, { from, importer: String(json["importer_token"]) });
  }

  /** Registers a computer and pairs an app, from an address in a /48 of their own. @throws {Error} */
  static async paired(relay: Target, site: number): Promise<Stranger> {
    return (await Stranger.register(relay, siteAddress(site))).withApp();
  }

  /** The same computer with another app. @throws {Error} if the relay refuses */
  async withApp({ appId = "looper", from = this.from } = {}): Promise<Stranger> {
    const elsewhere = new Stranger(this.relay, { ...this.computer, from });
    const claimed = await elsewhere.claim(await elsewhere.makeCode(), { appId });
    const app = String(expectStatus(claimed, 200).json["app_token"]);
    return new Stranger(this.relay, { ...this.computer, app });
  }

  /** The values that another process needs to act as this one. */
  get computer(): Computer {
    return { from: this.from, importer: this.importer, app: this.app };
  }

  call(path: string, token: string | undefined, rest: CallRest = {}): Promise<HttpAnswer> {
    return httpCall(this.relay, { path, token, from: this.from, ...rest });
  }

  asApp(path: string, rest?: CallRest): Promise<HttpAnswer> {
    return this.call(path, this.app, rest);
  }

  asImporter(path: string, rest?: CallRest): Promise<HttpAnswer> {
    return this.call(path, this.importer, rest);
  }

  /** Makes a pairing code. @throws {Error} if the relay refuses */
  async makeCode(): Promise<string> {
    const made = await this.asImporter("/importer/pairing-code", { method: "POST" });
    return String(expectStatus(made, 201).json["code"]);
  }

  claim(code: string, { appId = "looper", ...rest }: CallRest & { appId?: string } = {}) {
    const body = { code, app_name: "Looper", app_id: appId };
    return this.call("/pair/claim", undefined, { body, ...rest });
  }

  announce(body: unknown = manifest(), rest: CallRest = {}): Promise<HttpAnswer> {
    return this.asApp("/packages", { body, ...rest });
  }

  /** Announces a package. @throws {Error} if the relay refuses @returns its id */
  async announced(body?: unknown): Promise<string> {
    return String(expectStatus(await this.announce(body), 201).json["package_id"]);
  }

  upload(id: string, { nth = 1, body = WAV, ...rest }: CallRest & { nth?: number } = {}) {
    return this.asApp(`/packages/${id}/files/sound-${nth}.wav`, { method: "PUT", body, ...rest });
  }

  commit(id: string, rest: CallRest = {}): Promise<HttpAnswer> {
    return this.asApp(`/packages/${id}/commit`, { method: "POST", ...rest });
  }

  /** Announces, uploads and commits small sounds. @throws {Error} if the relay refuses @returns the package's id */
  async send(sounds = 1): Promise<string> {
    const id = await this.announced(manifest(sounds));
    for (let nth = 1; nth <= sounds; nth += 1) expectStatus(await this.upload(id, { nth }), 200);
    expectStatus(await this.commit(id), 200);
    return id;
  }

  /** Takes a package and reports it. */
  async report(id: string, results: object): Promise<HttpAnswer> {
    expectStatus(await this.asImporter(`/importer/packages/${id}/take`, { method: "POST" }), 200);
    return this.asImporter(`/importer/packages/${id}/results`, { body: { results } });
  }

  /** Sends, and waits for the time that `Retry-After` names. @returns whether all of it arrived */
  async sendPatiently(body: unknown, sound: Buffer, withinMs: number, rest: CallRest = {}) {
    const within = (act: () => Promise<HttpAnswer>) => patiently(act, withinMs);
    const announced = await within(() => this.announce(body, rest));
    if (announced.status !== 201) return `announce ${announced.status}`;
    const id = String(announced.json["package_id"]);
    const uploaded = await within(() => this.upload(id, { body: sound, ...rest }));
    if (uploaded.status !== 200) return `upload ${uploaded.status}`;
    const committed = await within(() => this.commit(id, rest));
    return committed.status === 200 ? "arrived" : `commit ${committed.status}`;
  }
}

/** @throws {Error} that says what was answered instead */
export function expectStatus(answer: HttpAnswer, status: number): HttpAnswer {
  if (answer.status === status) return answer;
  const text = answer.body.toString("utf8", 0, 200);
  throw new Error(`Answered ${answer.status} instead of ${status}: ${text}`);
}
