import { expect } from "vitest";
import { smallWav } from "../../wav-bytes.ts";
import { describe } from "../running-relay.ts";
import { type Answer, type KillableRelay, Lost } from "./killable-relay.ts";

/** The states a package may have after a crash: one if a call was answered, two if it was not. */
type PackageState = "uploading" | "waiting" | "imported" | "gone";

interface SentPackage {
  readonly manifest: object;
  readonly idempotencyKey: string;
  readonly files: ReadonlyMap<string, Buffer>;
  /** undefined while the announcement is not answered. */
  id: string | undefined;
  readonly uploaded: Set<string>;
  possibleStates: readonly PackageState[];
  isTaken: boolean;
}

/**
 * One computer with one app that sends and imports packages, and records what the relay promised by answering
 * 200 or 201.
 */
export class Musician {
  readonly #relay: KillableRelay;
  readonly #name: string;
  readonly #random: () => number;
  readonly #packages: SentPackage[] = [];
  #importer: string | undefined;
  #app: string | undefined;
  /** undefined if the call that revokes it was not answered. */
  #isPaired: boolean | undefined = false;

  constructor(relay: KillableRelay, name: string, random: () => number) {
    this.#relay = relay;
    this.#name = name;
    this.#random = random;
  }

  /** How many announcements were answered. */
  get packageCount(): number {
    return this.#packages.filter(({ id }) => id !== undefined).length;
  }

  /** Works until the relay is killed. */
  async workUntilLost(): Promise<void> {
    try {
      await this.#pair();
      for (;;) await this.#sendOne();
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
    }
  }

  async #pair(): Promise<void> {
    const body = { device_name: this.#name };
    const registered = await this.#ask(201, "POST", "/importer/register", { body });
    this.#importer = registered.json.importer_token;
    const { json } = await this.#ask(201, "POST", "/importer/pairing-code", this.#asImporter());
    const claim = { code: json.code, app_name: this.#name, app_id: this.#name };
    const claimed = await this.#ask(200, "POST", "/pair/claim", { body: claim });
    this.#app = claimed.json.app_token;
    this.#isPaired = true;
  }

  async #sendOne(): Promise<void> {
    const sent = this.#pack();
    this.#packages.push(sent);
    await this.#announce(sent);
    for (const file of sent.files.keys()) await this.#upload(sent, file);
    if (this.#random() < 0.2) return this.#change(sent, "gone", 200, "DELETE", "");
    await this.#change(sent, "waiting", 200, "POST", "/commit");
    if (this.#random() < 0.2) return this.#change(sent, "gone", 200, "DELETE", "");
    if (this.#random() < 0.8) await this.#import(sent);
    if (this.#random() < 0.1) await this.#unpairAndPairAgain();
  }

  #pack(): SentPackage {
    const names = ["kick.wav", "pad.wav"];
    const files = new Map(
      names.map((name) => {
        const frames = 1 + Math.floor(this.#random() ** 3 * 600_000);
        return [name, smallWav({ frames, fill: 1 + Math.floor(this.#random() * 255) })];
      }),
    );
    const items = [...files].map(([name, bytes]) => describe(name, bytes));
    return {
      manifest: { schema: "app2host/1", title: this.#name, items },
      idempotencyKey: `${this.#name}-${this.#packages.length}`,
      files,
      id: undefined,
      uploaded: new Set(),
      possibleStates: ["uploading"],
      isTaken: false,
    };
  }

  async #announce(sent: SentPackage): Promise<void> {
    const { json } = await this.#ask(201, "POST", "/packages", {
      ...this.#asApp(),
      body: sent.manifest,
      headers: { "idempotency-key": sent.idempotencyKey },
    });
    sent.id = json.package_id;
  }

  async #upload(sent: SentPackage, file: string): Promise<void> {
    const body = sent.files.get(file) ?? Buffer.alloc(0);
    const path = `/packages/${sent.id}/files/${file}`;
    await this.#ask(200, "PUT", path, { ...this.#asApp(), body });
    sent.uploaded.add(file);
  }

  async #import(sent: SentPackage): Promise<void> {
    const path = `/importer/packages/${sent.id}`;
    await this.#ask(200, "POST", `${path}/take`, {
      ...this.#asImporter(),
      body: { run_id: "one" },
    });
    sent.isTaken = true;
    await this.#expectWhole(sent);
    if (this.#random() < 0.3) return;
    const results = { 1: { status: "imported" }, 2: { status: "imported" } };
    sent.possibleStates = ["waiting", "imported"];
    await this.#ask(200, "POST", `${path}/results`, { ...this.#asImporter(), body: { results } });
    sent.possibleStates = ["imported"];
  }

  /** An app with no upload in progress unpairs, and its computer issues a new code. */
  async #unpairAndPairAgain(): Promise<void> {
    const earlier = this.#app;
    this.#isPaired = undefined;
    await this.#ask(200, "POST", "/app/unpair", this.#asApp());
    this.#isPaired = false;
    await this.#expectPaired();
    const { json } = await this.#ask(201, "POST", "/importer/pairing-code", this.#asImporter());
    const claim = { code: json.code, app_name: this.#name, app_id: this.#name };
    const claimed = await this.#ask(200, "POST", "/pair/claim", { body: claim });
    this.#app = claimed.json.app_token;
    this.#isPaired = true;
    expect(this.#app).not.toBe(earlier);
  }

  async #change(
    sent: SentPackage,
    state: PackageState,
    status: number,
    method: string,
    path: string,
  ): Promise<void> {
    sent.possibleStates = [...sent.possibleStates, state];
    await this.#ask(status, method, `/packages/${sent.id}${path}`, this.#asApp());
    sent.possibleStates = [state];
  }

  /** Compares what the relay has with what it promised; returns the number of sounds it should store. */
  async checkPromises(): Promise<number> {
    if (this.#importer === undefined) return 0;
    await this.#ask(200, "GET", "/importer/packages", this.#asImporter());
    if (this.#app === undefined) return 0;
    await this.#expectPaired();
    let stored = 0;
    for (const sent of this.#packages) stored += await this.#checkPackage(sent);
    return stored;
  }

  async #expectPaired(): Promise<void> {
    const { status } = await this.#relay.call("GET", "/app/me", this.#asApp());
    if (this.#isPaired === undefined) this.#isPaired = status === 200;
    expect(status).toBe(this.#isPaired ? 200 : 401);
  }

  async #checkPackage(sent: SentPackage): Promise<number> {
    if (sent.id === undefined || !this.#isPaired) return this.#storedUnseen(sent);
    const path = `/packages/${sent.id}/status`;
    const { status, json } = await this.#relay.call("GET", path, this.#asApp());
    const state: PackageState = status === 404 ? "gone" : json.status;
    expect(sent.possibleStates).toContain(state);
    sent.possibleStates = [state];
    if (state === "gone") return 0;
    const there = Object.keys(json.files).filter((file) => json.files[file] === "uploaded");
    expect(there).toEqual(expect.arrayContaining([...sent.uploaded]));
    if (state === "imported") expect(json.results[1].status).toBe("imported");
    if (state !== "uploading") await this.#expectWhole(sent);
    if (state === "waiting" && sent.isTaken) await this.#expectHeld(sent);
    return there.length;
  }

  /** Of a package that its app can no longer read, only what its computer can still import is stored. */
  async #storedUnseen(sent: SentPackage): Promise<number> {
    if (sent.id === undefined) return 0;
    const { json } = await this.#ask(200, "GET", "/importer/packages", this.#asImporter());
    const listed = json.packages.some((one: { package_id: string }) => one.package_id === sent.id);
    if (listed) await this.#expectWhole(sent);
    return listed ? sent.files.size : 0;
  }

  async #expectHeld(sent: SentPackage): Promise<void> {
    const path = `/importer/packages/${sent.id}/take`;
    const rival = { ...this.#asImporter(), body: { run_id: "two" } };
    await this.#ask(409, "POST", path, rival);
  }

  async #expectWhole(sent: SentPackage): Promise<void> {
    for (const [file, bytes] of sent.files) {
      const path = `/importer/packages/${sent.id}/files/${file}`;
      const { body } = await this.#ask(200, "GET", path, this.#asImporter());
      expect(body.equals(bytes), `${path} is whole`).toBe(true);
    }
  }

  /** Finishes what the crash interrupted: a file listed as uploaded must be whole. */
  async finishWhatWasLeft(): Promise<void> {
    if (this.#app === undefined || !this.#isPaired) return;
    for (const sent of this.#packages) {
      if (sent.id === undefined) await this.#announce(sent);
      const first = sent.id;
      if (sent.possibleStates[0] !== "uploading") continue;
      await this.#announce(sent);
      expect(sent.id, "one key, one package").toBe(first);
      const path = `/packages/${sent.id}/status`;
      const { json } = await this.#ask(200, "GET", path, this.#asApp());
      for (const file of sent.files.keys()) {
        if (json.files[file] === "missing") await this.#upload(sent, file);
      }
      await this.#change(sent, "waiting", 200, "POST", "/commit");
      await this.#expectWhole(sent);
    }
  }

  async #ask(
    status: number,
    method: string,
    path: string,
    options: Parameters<KillableRelay["call"]>[2],
  ): Promise<Answer> {
    const answer = await this.#relay.call(method, path, options);
    expect(answer.status, `${method} ${path}: ${answer.json?.error}`).toBe(status);
    return answer;
  }

  #asApp() {
    return { token: this.#app ?? "" };
  }

  #asImporter() {
    return { token: this.#importer ?? "" };
  }
}
