import { randomUUID } from "node:crypto";
import { assertStatus, listOf, partOf, show } from "./assert.ts";
import { Inconclusive } from "./assertion-failure.ts";
import { CALLS, pathOfFile, pathOfPackage, type RelayCall } from "./relay-calls.ts";
import { manifestOf, type Sound, smallSounds } from "./sounds.ts";
import { type Answer, type CallOptions, Wire } from "./wire.ts";

/** The kit waits out shorter limits; a longer one makes the check inconclusive. */
const LONGEST_WAIT_SECONDS = 60;
/** The most announcements of one app before the kit pairs another; the contract allows 30 an hour. */
const PACKAGES_PER_APP = 28;

export interface KitOptions {
  readonly registrationKey?: string | undefined;
  /** Waits; in tests it moves the relay's clock instead. */
  readonly wait: (ms: number) => Promise<void>;
  readonly watch: (answer: Answer) => void;
  /** Called before the kit waits out a limit. */
  readonly onWait: (seconds: number) => void;
  readonly signal: AbortSignal;
}

/** A computer that the kit registered. */
export interface TestDevice {
  readonly token: string;
  /** The answer to the registration. */
  readonly registered: Answer;
}

/** An app that the kit paired. */
export interface TestApp {
  readonly token: string;
  readonly appId: string;
  readonly device: TestDevice;
  /** The answer to its claim. */
  readonly claimed: Answer;
}

/** A package that the kit announced. */
export interface TestPackage {
  readonly id: string;
  readonly app: TestApp;
  readonly sounds: readonly Sound[];
  readonly announced: Answer;
  /** Returns the path to upload a file to. */
  readonly pathOf: (file: string) => string;
}

/**
 * The things that checks share: one computer, a few apps, the connection to the relay. Pairing is scarce (10 tries a
 * minute), so all checks share apps, paired on first use. `cleanUp` removes everything the kit created at the relay.
 */
export class Kit {
  readonly wire: Wire;
  readonly wait: (ms: number) => Promise<void>;
  /** Aborts when the run is stopped. */
  readonly signal: AbortSignal;
  readonly #options: KitOptions;
  readonly #shared = new Map<string, Promise<unknown>>();
  readonly #announcements = new Map<string, number>();
  readonly #devices: string[] = [];
  readonly #apps: string[] = [];
  readonly #packages: { readonly id: string; readonly token: string }[] = [];

  constructor(relayUrl: string, options: KitOptions) {
    this.wire = new Wire(relayUrl, options.watch);
    this.wait = options.wait;
    this.signal = options.signal;
    this.#options = options;
  }

  /**
   * Calls the relay and waits out its limits.
   * @throws {Inconclusive} when a limit lasts longer than a minute, or nothing answers
   */
  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    for (let tries = 0; ; tries += 1) {
      this.signal.throwIfAborted();
      const answer = await this.wire.call(method, path, options);
      if (answer.status !== 429) return answer;
      const seconds = Number(answer.headers["retry-after"] ?? 1);
      if (!(seconds <= LONGEST_WAIT_SECONDS) || tries === 3) {
        const error = show(partOf(answer.json, "error"));
        throw new Inconclusive(`${answer.asked}: a limit of the relay was reached: ${error}.`);
      }
      this.#options.onWait(seconds);
      await this.wait(seconds * 1000);
    }
  }

  /** Sends one of the calls that trying a relay takes, as `call` does. */
  send({ method, path, ...options }: RelayCall, token?: string): Promise<Answer> {
    return this.call(method, path, { token, ...options });
  }

  /** Makes a thing once, for the first check that asks. */
  share<Thing>(name: string, make: () => Promise<Thing>): Promise<Thing> {
    const made = this.#shared.get(name) ?? make();
    this.#shared.set(name, made);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a name is always used for the same kind of thing
    return made as Promise<Thing>;
  }

  /** The registered computer of this name. */
  device(name = "Conformance kit"): Promise<TestDevice> {
    return this.share(`device ${name}`, async () => {
      const registered = await this.register({ device_name: name });
      const token = textOf(registered, "importer_token");
      return { token, registered };
    });
  }

  /** Registers a computer; `cleanUp` removes it. */
  async register(body: object): Promise<Answer> {
    const answer = await this.send(CALLS.register(body, this.#options.registrationKey));
    const token = partOf(answer.json, "importer_token");
    if (typeof token === "string") this.#devices.push(token);
    return answer;
  }

  /** Gets a new pairing code. */
  async code({ token }: TestDevice): Promise<string> {
    return textOf(await this.send(CALLS.newCode(), token), "code");
  }

  /** Claims a code; `cleanUp` revokes the token. */
  async claim(body: object | string): Promise<Answer> {
    const answer = await this.send(CALLS.claim(body));
    const token = partOf(answer.json, "app_token");
    if (typeof token === "string") this.#apps.push(token);
    return answer;
  }

  /**
   * Pairs a new app with a computer, with a second code if the first expired while waiting out a limit.
   * Two concurrent calls for one computer would replace each other's code.
   */
  async pair(device: TestDevice, appName: string): Promise<TestApp> {
    const appId = `conformance-${randomUUID()}`;
    const claim = async () =>
      this.claim({ code: await this.code(device), app_name: appName, app_id: appId });
    const first = await claim();
    const claimed = first.status === 404 ? await claim() : first;
    return { token: textOf(claimed, "app_token"), appId, device, claimed };
  }

  /** The app of this name, paired with the shared computer. */
  app(name: "first" | "second" | `more ${number}` = "first"): Promise<TestApp> {
    return this.share(`app ${name}`, async () =>
      this.inTurn("pairing", async () => this.pair(await this.device(), `Conformance ${name}`)),
    );
  }

  /** Runs work of the same name one by one. */
  async inTurn<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#shared.get(`turn ${name}`) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#shared.set(`turn ${name}`, mine);
    return mine;
  }

  /** The app with the fewest announcements, so that none reaches its hourly limit. */
  async leastBusyApp(): Promise<TestApp> {
    const apps = await Promise.all([this.app("first"), this.app("second")]);
    for (let more = 1; ; more += 1) {
      const [least] = apps.toSorted(
        (one, other) => this.#announcedBy(one) - this.#announcedBy(other),
      );
      if (least !== undefined && this.#announcedBy(least) < PACKAGES_PER_APP) return least;
      apps.push(await this.app(`more ${more}`));
    }
  }

  /** Announces with any body; `cleanUp` withdraws the package. */
  async announce(app: TestApp, body: object | string, headers = {}): Promise<Answer> {
    this.#announcements.set(app.appId, this.#announcedBy(app) + 1);
    const { token } = app;
    const answer = await this.send(CALLS.announce(body, headers), token);
    this.keep(answer, token);
    if (answer.status >= 400) this.#announcements.set(app.appId, this.#announcedBy(app) - 1);
    return answer;
  }

  /** Lets `cleanUp` withdraw the package of this answer. */
  keep(announced: Answer, token: string): void {
    const id = partOf(announced.json, "package_id");
    if (typeof id === "string") this.#packages.push({ id, token });
  }

  /** An announced package. @param more overrides the manifest's properties */
  async uploading(sounds = smallSounds("one.wav"), more: object = {}): Promise<TestPackage> {
    const app = await this.leastBusyApp();
    return this.packageOf(app, sounds, await this.announce(app, manifestOf(sounds, more)));
  }

  /** The package that an announcement created. */
  packageOf(app: TestApp, sounds: readonly Sound[], announced: Answer): TestPackage {
    const id = textOf(announced, "package_id");
    return {
      id,
      app,
      sounds,
      announced,
      pathOf: (file) => {
        const path = partOf(announced.json, "upload", file);
        return typeof path === "string" ? path : pathOfFile(id, file);
      },
    };
  }

  /** A package with all its files uploaded. */
  async uploaded(sounds = smallSounds("one.wav"), more: object = {}): Promise<TestPackage> {
    const made = await this.uploading(sounds, more);
    for (const sound of sounds) await this.put(made, sound);
    return made;
  }

  /** A committed package. */
  async waiting(sounds = smallSounds("one.wav"), more: object = {}): Promise<TestPackage> {
    const made = await this.uploaded(sounds, more);
    await this.commit(made);
    return made;
  }

  put({ app, pathOf }: TestPackage, { file, bytes }: Sound): Promise<Answer> {
    return this.send(CALLS.upload(pathOf(file), bytes), app.token);
  }

  commit({ id, app }: TestPackage): Promise<Answer> {
    return this.send(CALLS.commit(id), app.token);
  }

  status({ id, app }: TestPackage, query = ""): Promise<Answer> {
    return this.call("GET", `${pathOfPackage(id)}/status${query}`, { token: app.token });
  }

  withdraw({ id, app }: TestPackage): Promise<Answer> {
    return this.send(CALLS.withdraw(id), app.token);
  }

  /** Takes the package as its computer. */
  take({ id, app }: TestPackage, body: object = {}): Promise<Answer> {
    return this.call("POST", `/importer/packages/${id}/take`, { token: app.device.token, body });
  }

  /** Reports results as the package's computer. */
  report({ id, app }: TestPackage, results: object): Promise<Answer> {
    const { token } = app.device;
    return this.call("POST", `/importer/packages/${id}/results`, { token, body: { results } });
  }

  /** The packages that a computer's importer can import, from every page of the list. */
  async listed({ token }: TestDevice): Promise<readonly unknown[]> {
    const packages: unknown[] = [];
    for (let after: unknown = ""; typeof after === "string";) {
      const path = `/importer/packages?after=${encodeURIComponent(after)}`;
      const page = await this.call("GET", path, { token });
      assertStatus(page, 200);
      packages.push(...listOf(page.json, "packages"));
      after = partOf(page.json, "next");
    }
    return packages;
  }

  /** The package in that list; undefined if it isn't there. */
  async listedAs({ id, app }: Pick<TestPackage, "id" | "app">): Promise<unknown> {
    const packages = await this.listed(app.device);
    return packages.find((one) => partOf(one, "package_id") === id);
  }

  /** One package as its computer's importer reads it. */
  importable({ id, app }: TestPackage): Promise<Answer> {
    return this.call("GET", `/importer/packages/${id}`, { token: app.device.token });
  }

  /** Withdraws packages, unpairs apps and removes computers; ignores what is already gone. */
  async cleanUp(): Promise<void> {
    const quietly = ({ method, path }: RelayCall, token: string) =>
      this.wire.call(method, path, { token }).catch(() => {});
    await Promise.all(this.#packages.map(({ id, token }) => quietly(CALLS.withdraw(id), token)));
    await Promise.all(this.#apps.map((token) => quietly(CALLS.unpair(), token)));
    await Promise.all(this.#devices.map((token) => quietly(CALLS.remove(), token)));
    this.wire[Symbol.dispose]();
  }

  #announcedBy({ appId }: TestApp): number {
    return this.#announcements.get(appId) ?? 0;
  }
}

/** A value that the rest needs; another check tests whether the answer is right. */
function textOf(answer: Answer, name: string): string {
  const text = partOf(answer.json, name);
  if (typeof text === "string" && text !== "") return text;
  const error = partOf(answer.json, "error");
  throw new Inconclusive(
    `${answer.asked} gave no ${name}: ${answer.status}${error === undefined ? "" : ` ${show(error)}`}.`,
  );
}
