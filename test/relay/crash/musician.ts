import { type CalledRelay, type CrashSite, Sender } from "../../crash/sender.ts";
import { Lost } from "./killable-relay.ts";

/**
 * One computer with one app that sends and imports packages by plain calls, and notes what the relay answers in the
 * ledger.
 */
export class Musician {
  readonly #app: Sender;

  constructor(site: CrashSite<CalledRelay>, who: string) {
    this.#app = new Sender(site, who);
  }

  /** Works until the relay is killed. @param signal ends it after a package */
  workUntilLost(signal?: AbortSignal): Promise<void> {
    return untilLost(async () => {
      await this.#registerAndPair();
      while (signal?.aborted !== true) await this.#sendOne();
    });
  }

  /** Gives the computer up with all it has, unless the relay is killed before. */
  eraseUntilLost(): Promise<void> {
    return untilLost(async () => {
      const { who, site } = this.#app;
      await site.ledger.note({ who, kind: "erasing" });
      await this.#app.ask(200, "DELETE", "/importer/me", this.#app.asImporter());
      await site.ledger.note({ who, kind: "erased" });
    });
  }

  /** Finishes what a kill interrupted. */
  async finishWhatWasLeft(): Promise<void> {
    const { isPaired, packages } = this.#app.facts;
    if (isPaired !== true) return;
    for (const { key } of packages) await this.#app.finish(key);
  }

  async #registerAndPair(): Promise<void> {
    const { who, site } = this.#app;
    const body = { device_name: who };
    const { json } = await this.#app.ask(201, "POST", "/importer/register", { body });
    await site.ledger.note({ who, kind: "registered", importer: json.importer_token });
    await this.#pair();
  }

  async #pair(): Promise<void> {
    const path = "/importer/pairing-code";
    const { json } = await this.#app.ask(201, "POST", path, this.#app.asImporter());
    await this.#app.pair(json.code);
  }

  async #sendOne(): Promise<void> {
    const { random } = this.#app.site;
    const key = await this.#app.pack();
    await this.#app.announce(key);
    for (const file of Object.keys(this.#app.package(key).files)) await this.#app.upload(key, file);
    if (random() < 0.2) return this.#app.withdraw(key);
    await this.#app.commit(key);
    if (random() < 0.2) return this.#app.withdraw(key);
    if (random() < 0.8) await this.#import(key);
    if (random() < 0.1) await this.#unpairAndPairAgain();
  }

  async #import(key: string): Promise<void> {
    const { who, site } = this.#app;
    const path = `/importer/packages/${this.#app.package(key).id}`;
    const take = { ...this.#app.asImporter(), body: { run_id: "one" } };
    await this.#app.ask(200, "POST", `${path}/take`, take);
    await site.ledger.note({ who, kind: "taken", key });
    if (site.random() < 0.3) return;
    const results = { 1: { status: "imported" }, 2: { status: "imported" } };
    await site.ledger.note({ who, kind: "asking", key, state: "imported" });
    const report = { ...this.#app.asImporter(), body: { results } };
    await this.#app.ask(200, "POST", `${path}/results`, report);
    await site.ledger.note({ who, kind: "is", key, state: "imported" });
  }

  /** An app with no upload in progress unpairs, and its computer issues a new code. */
  async #unpairAndPairAgain(): Promise<void> {
    const { who, site } = this.#app;
    await site.ledger.note({ who, kind: "unpairing" });
    await this.#app.ask(200, "POST", "/app/unpair", this.#app.asApp());
    await site.ledger.note({ who, kind: "unpaired" });
    await this.#app.ask(401, "GET", "/app/me", this.#app.asApp());
    await this.#pair();
  }
}

async function untilLost(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Lost)) throw error;
  }
}
