import { smallWav } from "../wav-bytes.ts";
import type { Answer, CallOptions } from "../relay/crash/fetch-answer.ts";
import { describe } from "../relay/running-relay.ts";
import { type Checks, BrokenPromise } from "./checks.ts";
import type { MusicianFacts, PackageFacts, PackageState, SoundShape } from "./facts.ts";
import type { Ledger } from "./ledger.ts";

/** A relay that is called, and may be killed meanwhile. */
export interface CalledRelay {
  /** @throws {Lost} if it isn't known whether the call took effect */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Whether the clock of its machine was ever wrong. */
  readonly wasClockWrong: boolean;
}

/** What a relay keeps, looked into from outside. */
export interface CrashedStores {
  /** Every acknowledged sound is stored, and no byte is left over. @throws {BrokenPromise} */
  check(checks: Checks, promisedSounds: number): Promise<void>;
  /** Everything, which takes longer. @throws {BrokenPromise} */
  checkWhole(checks: Checks): Promise<void>;
}

/** A relay that a run kills, or several that serve as one. */
export interface CrashedRelay extends CalledRelay, AsyncDisposable {
  readonly url: string;
  readonly stores: CrashedStores;
  /** For modules that other processes of the run compile. */
  readonly cacheFolder: string;
  /** How often it was killed so far. */
  readonly kills: number;
  kill(): Promise<void>;
  /** Starts what was killed, and waits until it serves. */
  restart(): Promise<void>;
  /** Like `restart`, without waiting: for a kill in the middle of it. */
  beginRestart(): void;
}

/** What a run has of everything. */
export interface CrashSite<Relay extends CalledRelay = CrashedRelay> {
  readonly relay: Relay;
  readonly ledger: Ledger;
  readonly checks: Checks;
  /** At least 0 and less than 1. */
  readonly random: () => number;
}

const FILES = ["kick.wav", "pad.wav"];
/** Most sounds are small, so that a cycle is short; some take a while to arrive. */
const LONG_SOUNDS = 0.05;

/** The bytes of a sound of that shape. */
export function bytesOf(shape: SoundShape | undefined): Buffer {
  return shape === undefined ? Buffer.alloc(0) : smallWav(shape);
}

/** An app that sends packages. It remembers nothing: all it knows is in the ledger. */
export class Sender {
  readonly who: string;
  readonly site: CrashSite<CalledRelay>;

  constructor(site: CrashSite<CalledRelay>, who: string) {
    this.site = site;
    this.who = who;
  }

  get facts(): MusicianFacts {
    return this.site.ledger.of(this.who);
  }

  /** A package as the ledger has it now. */
  package(key: string): PackageFacts {
    const found = this.facts.packages.find((one) => one.key === key);
    if (found === undefined) throw new RangeError(`${this.who} packed no ${key}.`);
    return found;
  }

  async pair(code: string): Promise<void> {
    const { who, site } = this;
    const body = { code, app_name: who, app_id: who };
    const { json } = await this.ask(200, "POST", "/pair/claim", { body });
    await site.ledger.note({ who, kind: "paired", app: json.app_token });
  }

  /** Decides what a package holds; returns its key. */
  async pack(): Promise<string> {
    const { who, site } = this;
    const key = `${who}-${this.facts.packages.length}`;
    const files = Object.fromEntries(FILES.map((name) => [name, this.#shape()]));
    await site.ledger.note({ who, kind: "packed", key, files });
    return key;
  }

  /** May be repeated: one key, one package. */
  async announce(key: string): Promise<void> {
    const { who, site } = this;
    const { files, id } = this.package(key);
    const items = Object.entries(files).map(([name, shape]) => describe(name, bytesOf(shape)));
    const { json } = await this.ask(201, "POST", "/packages", {
      ...this.asApp(),
      body: { schema: "app2host/1", title: key, items },
      headers: { "idempotency-key": key },
    });
    if (id !== undefined) site.checks.same(`${key}: one key, one package`, json.package_id, id);
    await site.ledger.note({ who, kind: "announced", key, id: json.package_id });
  }

  async upload(key: string, file: string): Promise<void> {
    const { who, site } = this;
    const { id, files } = this.package(key);
    const body = bytesOf(files[file]);
    await this.ask(200, "PUT", `/packages/${id}/files/${file}`, { ...this.asApp(), body });
    await site.ledger.note({ who, kind: "uploaded", key, file });
  }

  commit(key: string): Promise<void> {
    return this.change(key, "waiting", "POST", "/commit");
  }

  withdraw(key: string): Promise<void> {
    return this.change(key, "gone", "DELETE", "");
  }

  /** Announces, uploads and commits what is not yet answered. */
  async finish(key: string): Promise<void> {
    if (this.package(key).possibleStates[0] !== "uploading") return;
    await this.announce(key);
    const { id, files } = this.package(key);
    const { json } = await this.ask(200, "GET", `/packages/${id}/status`, this.asApp());
    for (const file of Object.keys(files)) {
      if (json.files[file] === "missing") await this.upload(key, file);
    }
    await this.commit(key);
  }

  /** Asks for a change of a package's state. */
  async change(key: string, state: PackageState, method: string, path: string): Promise<void> {
    const { who, site } = this;
    await site.ledger.note({ who, kind: "asking", key, state });
    await this.ask(200, method, `/packages/${this.package(key).id}${path}`, this.asApp());
    await site.ledger.note({ who, kind: "is", key, state });
  }

  /** @throws {BrokenPromise} if the answer has another status */
  async ask(
    status: number,
    method: string,
    path: string,
    options: CallOptions = {},
  ): Promise<Answer> {
    const answer = await this.site.relay.call(method, path, options);
    if (answer.status === status) return answer;
    const why = `${answer.status} ${answer.json?.error ?? ""}`;
    throw new BrokenPromise(`${this.who}: ${method} ${path} was answered ${why}, not ${status}`);
  }

  asApp() {
    return { token: this.facts.app ?? "" };
  }

  asImporter() {
    return { token: this.facts.importer ?? "" };
  }

  #shape(): SoundShape {
    const { random } = this.site;
    const longest = random() < LONG_SOUNDS ? 300_000 : 2000;
    return {
      frames: 1 + Math.floor(random() * longest),
      fill: 1 + Math.floor(random() * 255),
    };
  }
}
