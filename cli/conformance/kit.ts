import type { Answer } from "./answer.ts";
import { assert, assertStatus, listOf, partOf } from "./assert.ts";
import { Inconclusive } from "./assertion-failure.ts";
import { Pairing, type TestApp, type TestDevice } from "./pairing.ts";
import { CALLS, pathOfFile, pathOfPackage } from "./relay-calls.ts";
import { textOf } from "./session.ts";
import { manifestOf, type Sound, smallSounds } from "./sounds.ts";

/** The most announcements of one app before the kit pairs another; the contract allows 30 an hour. */
const PACKAGES_PER_APP = 28;
/** A list of the kit's few packages has fewer pages, and all of them fewer bytes. */
const MAX_PAGES = 50;
const MAX_LIST_BYTES = 2 ** 23;
/** Ids have at most 100 characters; what is far longer can't be in an address. */
const MAX_KEPT_ID = 1000;

export type { TestApp, TestDevice } from "./pairing.ts";

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
 * The things that checks share: one computer, a few apps, packages, the connection to the relay. `cleanUp` removes
 * everything that the kit created at the relay.
 */
export class Kit extends Pairing {
  readonly #announcements = new Map<string, number>();
  readonly #packages: { readonly id: string; readonly token: string }[] = [];

  /** The app with the fewest announcements, so that none reaches its hourly limit. */
  async leastBusyApp(): Promise<TestApp> {
    const apps = [await this.app("first")];
    if (this.hasImporter) apps.push(await this.app("second"));
    for (let more = 1; ; more += 1) {
      const [least] = apps.toSorted(
        (one, other) => this.announcedBy(one) - this.announcedBy(other),
      );
      if (least !== undefined && this.announcedBy(least) < PACKAGES_PER_APP) return least;
      if (!this.hasImporter)
        throw new Inconclusive("The given app has announced all its packages of an hour.");
      apps.push(await this.app(`more ${more}`));
    }
  }

  /** Announces with any body; `cleanUp` withdraws the package. */
  async announce(app: TestApp, body: object | string, headers = {}): Promise<Answer> {
    const { token } = app;
    this.#announcements.set(app.appId, this.announcedBy(app) + 1);
    const answer = await this.send(CALLS.announce(body, headers), token);
    this.keep(answer, token);
    if (answer.status >= 400) this.#announcements.set(app.appId, this.announcedBy(app) - 1);
    return answer;
  }

  /** The number of packages that the app announced in this run. */
  announcedBy({ appId }: TestApp): number {
    return this.#announcements.get(appId) ?? 0;
  }

  /** Lets `cleanUp` withdraw the package of this answer. */
  keep(announced: Answer, token: string): void {
    const id = partOf(announced.json, "package_id");
    if (typeof id === "string" && id.length <= MAX_KEPT_ID) this.#packages.push({ id, token });
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
        return typeof path === "string" ? this.#sendable(path) : pathOfFile(id, file);
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
    return (await this.allPages("/importer/packages", token)).packages;
  }

  /** The packages of every page of a list, and the last page's `next`. */
  async allPages(path: string, token: string) {
    const packages: unknown[] = [];
    let next: unknown = "";
    let bytes = 0;
    for (let pages = 0; typeof next === "string"; pages += 1) {
      assert(pages < MAX_PAGES, `GET ${path} has more than ${MAX_PAGES} pages.`);
      const page = await this.call("GET", `${path}?after=${encodeURIComponent(next)}`, { token });
      assertStatus(page, 200);
      bytes += page.bytes.length;
      assert(bytes <= MAX_LIST_BYTES, `GET ${path} has more than ${MAX_LIST_BYTES} bytes.`);
      packages.push(...listOf(page.json, "packages"));
      next = partOf(page.json, "next");
    }
    return { packages, next };
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
  override async cleanUp(): Promise<void> {
    await this.withdrawAll();
    await super.cleanUp();
  }

  /** Withdraws all packages of the run; ignores what is already gone. */
  async withdrawAll(): Promise<void> {
    const packages = this.#packages.splice(0);
    await this.quietly(packages.map(({ id, token }) => [CALLS.withdraw(id), token]));
  }

  /** The public specification shows a path with the file's name as it is, which HTTP can't always send. */
  #sendable(path: string): string {
    return this.contract === "public" ? path.replaceAll(/[^!-~]+/g, encodeURIComponent) : path;
  }
}
