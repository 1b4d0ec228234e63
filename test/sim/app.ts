import { manifestOf } from "../manifest-of.ts";
import {
  bytesOf,
  type MusicianFacts,
  type PackageFacts,
  type PackageState,
  type SoundShape,
} from "./ledger.ts";
import {
  type Answer,
  type CalledRelay,
  type CallOptions,
  WrongAnswer,
  type World,
} from "./world.ts";

/** Most sounds are small, so that a cycle is short; some take a while to arrive. */
const LONG_SOUNDS = 0.05;
const FILES = ["kick.wav", "pad.wav"];

/**
 * One computer with one app, which send and import by plain calls. It remembers nothing: all it knows is in the ledger,
 * where each answer is noted before it is used.
 */
export class App {
  readonly who: string;
  readonly world: World<CalledRelay>;

  constructor(world: World<CalledRelay>, who: string) {
    this.world = world;
    this.who = who;
  }

  /** One that is registered and paired. */
  static async paired(world: World<CalledRelay>, who = "Studio"): Promise<App> {
    const app = new App(world, who);
    await app.begin();
    return app;
  }

  /** Another app on the same computer. */
  async another(who: string): Promise<App> {
    const { importer = "" } = this.facts;
    const app = new App(this.world, who);
    await app.note({ importer });
    await app.pair();
    return app;
  }

  get facts(): MusicianFacts {
    return this.world.ledger.of(this.who);
  }

  /** A package as the ledger has it now. */
  package(key: string): PackageFacts {
    const found = this.facts.packages.find((one) => one.key === key);
    if (found === undefined) throw new RangeError(`${this.who} packed no ${key}.`);
    return found;
  }

  /** A sound's bytes, as they were sent. */
  bytesOf(key: string, file: string): Buffer {
    return bytesOf(this.package(key).files[file]);
  }

  /** Registers its computer and pairs with it, unless that is done. */
  async begin(): Promise<void> {
    const { importer, isPaired } = this.facts;
    if (importer === undefined) {
      const body = { device_name: this.who };
      const { json } = await this.ask(201, "POST", "/importer/register", { body });
      await this.note({ importer: json.importer_token });
    }
    if (isPaired !== true) await this.pair();
  }

  /** @param code of the computer; default: one that it asks for */
  async pair(code?: string): Promise<void> {
    const { who } = this;
    const own = code ?? (await this.asImporter(201, "POST", "/pairing-code")).json.code;
    const body = { code: own, app_name: who, app_id: who };
    const { json } = await this.ask(200, "POST", "/pair/claim", { body });
    await this.note({ app: json.app_token, isPaired: true });
  }

  /** Decides what a package holds; returns its key. */
  async pack(names: readonly string[] = FILES, frames?: number): Promise<string> {
    const key = `${this.who}-${this.facts.packages.length}`;
    const files = Object.fromEntries(names.map((name) => [name, this.#shape(frames)]));
    await this.note({ key, files });
    return key;
  }

  /** May be repeated: one key, one package. */
  async announce(key: string): Promise<void> {
    const { files, id } = this.package(key);
    const sounds = Object.entries(files).map(([file, shape]) => [file, bytesOf(shape)] as const);
    const body = manifestOf(Object.fromEntries(sounds), { title: key });
    const headers = { "idempotency-key": key };
    const { json } = await this.asApp(201, "POST", "/packages", { body, headers });
    if (id !== undefined)
      this.world.checks.same(`${key}: one key, one package`, json.package_id, id);
    await this.note({ key, id: json.package_id });
  }

  async upload(key: string, file: string): Promise<void> {
    const { id, uploaded } = this.package(key);
    await this.note({ key, sending: file });
    const body = this.bytesOf(key, file);
    try {
      await this.asApp(200, "PUT", `/packages/${id}/files/${file}`, { body });
    } catch (error) {
      const isRefused = error instanceof WrongAnswer && !uploaded.has(file);
      if (isRefused) await this.note({ key, missing: file });
      throw error;
    }
    await this.note({ key, uploaded: file });
  }

  async uploadAll(key: string): Promise<void> {
    for (const file of Object.keys(this.package(key).files)) await this.upload(key, file);
  }

  commit(key: string): Promise<void> {
    return this.#change(key, "waiting", "POST", "/commit");
  }

  withdraw(key: string): Promise<void> {
    return this.#change(key, "gone", "DELETE", "");
  }

  /** Announces, uploads and commits a package; returns its key. */
  async send(names?: readonly string[], frames?: number): Promise<string> {
    const key = await this.pack(names, frames);
    await this.announce(key);
    await this.uploadAll(key);
    await this.commit(key);
    return key;
  }

  /** Announces, uploads and commits what is not yet answered. */
  async finish(key: string): Promise<void> {
    if (this.package(key).states[0] !== "uploading") return;
    await this.announce(key);
    const { files } = (await this.status(key)).json;
    for (const file of Object.keys(this.package(key).files)) {
      if (files[file] === "missing") await this.upload(key, file);
    }
    await this.commit(key);
  }

  /** Finishes what a kill interrupted. */
  async finishAll(): Promise<void> {
    if (this.facts.isPaired !== true) return;
    for (const { key } of this.facts.packages) await this.finish(key);
  }

  status(key: string): Promise<Answer> {
    return this.asApp(200, "GET", `/packages/${this.package(key).id}/status`);
  }

  async take(key: string, body: object = { run_id: "one" }): Promise<void> {
    await this.asImporter(200, "POST", `/packages/${this.package(key).id}/take`, { body });
    await this.note({ key, isTaken: true });
  }

  /** Reads every sound whole. */
  async download(key: string): Promise<void> {
    const { id, files } = this.package(key);
    for (const file of Object.keys(files)) {
      const { body } = await this.asImporter(200, "GET", `/packages/${id}/files/${file}`);
      this.world.checks.holds(
        `${key}: ${file} arrives whole`,
        body.equals(this.bytesOf(key, file)),
      );
    }
  }

  async report(key: string): Promise<void> {
    const { id, files } = this.package(key);
    const results = Object.fromEntries(
      Object.keys(files).map((_, at) => [at + 1, { status: "imported" }]),
    );
    await this.note({ key, may: "imported" });
    await this.asImporter(200, "POST", `/packages/${id}/results`, { body: { results } });
    await this.note({ key, is: "imported" });
  }

  async unpair(): Promise<void> {
    await this.note({ isPaired: null });
    await this.asApp(200, "POST", "/app/unpair");
    await this.note({ isPaired: false });
    await this.asApp(401, "GET", "/app/me");
  }

  /** Gives the computer up with all it has. */
  async erase(): Promise<void> {
    await this.note({ isErased: null });
    await this.asImporter(200, "DELETE", "/me");
    await this.note({ isErased: true, isPaired: false });
  }

  /** Sends, replaces, imports, withdraws and unpairs at random. @param options `signal` ends it after a package */
  async work(options: { unpairs?: boolean; signal?: AbortSignal } = {}): Promise<void> {
    const { unpairs = true, signal } = options;
    const { random } = this.world;
    const isOver = () => signal?.aborted === true;
    while (!isOver()) {
      await this.#workOnce();
      if (!unpairs || random() >= 0.1) continue;
      await this.unpair();
      await this.pair();
    }
  }

  async #workOnce(): Promise<void> {
    const { random } = this.world;
    const key = await this.pack();
    await this.announce(key);
    await this.uploadAll(key);
    if (random() < 0.2) return this.withdraw(key);
    // A second upload of a file replaces the first, whose bytes are deleted.
    if (random() < 0.2) await this.uploadAll(key);
    await this.commit(key);
    if (random() < 0.2) return this.withdraw(key);
    if (random() < 0.8) await this.take(key);
    if (this.package(key).isTaken && random() < 0.7) await this.report(key);
  }

  asApp(status: number, method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    return this.ask(status, method, path, { token: this.facts.app, ...options });
  }

  asImporter(
    status: number,
    method: string,
    path: string,
    options: CallOptions = {},
  ): Promise<Answer> {
    return this.ask(status, method, `/importer${path}`, { token: this.facts.importer, ...options });
  }

  /** @throws {WrongAnswer} if the answer has another status */
  async ask(status: number, method: string, path: string, options?: CallOptions): Promise<Answer> {
    const answer = await this.world.relay.call(method, path, options);
    if (answer.status === status) return answer;
    throw new WrongAnswer(`${this.who}: ${method} ${path}, expecting ${status},`, answer);
  }

  note(fact: Omit<Parameters<World["ledger"]["note"]>[0], "who">): Promise<void> {
    return this.world.ledger.note({ who: this.who, ...fact });
  }

  /** Asks for a change of a package's state. */
  async #change(key: string, state: PackageState, method: string, path: string): Promise<void> {
    const before = this.package(key).states;
    await this.note({ key, may: state });
    try {
      await this.asApp(200, method, `/packages/${this.package(key).id}${path}`);
    } catch (error) {
      const [is] = before;
      if (error instanceof WrongAnswer && before.length === 1 && is) await this.note({ key, is });
      throw error;
    }
    await this.note({ key, is: state });
  }

  #shape(frames?: number): SoundShape {
    const { random } = this.world;
    const longest = random() < LONG_SOUNDS ? 300_000 : 2000;
    return {
      frames: frames ?? 1 + Math.floor(random() * longest),
      fill: 1 + Math.floor(random() * 255),
    };
  }
}
