import { expect } from "vitest";
import { smallWav } from "../../wav-bytes.ts";
import type { Answer } from "../crash/fetch-answer.ts";
import { type KillableRelay, Lost } from "../crash/killable-relay.ts";
import { describe } from "../running-relay.ts";

/** What a relay acknowledged, in the order of a package's life. */
const STATES = ["announced", "uploaded", "waiting", "imported"] as const;
type State = (typeof STATES)[number];

interface Sent {
  readonly id: string;
  readonly files: ReadonlyMap<string, Buffer>;
  state: State;
  /** From before the call until its answer is known. */
  isWithdrawing: boolean;
  isWithdrawn: boolean;
  /** What was acknowledged when the moment was marked; undefined if it was not announced yet. */
  markedState?: State;
}

/** One computer with one app, which works and writes down each answer before it goes on. */
export class Ledger {
  readonly #relay: KillableRelay;
  readonly #random: () => number;
  readonly #sent: Sent[] = [];
  readonly importer: string;
  readonly #app: string;

  private constructor(
    relay: KillableRelay,
    random: () => number,
    tokens: { importer: string; app: string },
  ) {
    this.#relay = relay;
    this.#random = random;
    this.importer = tokens.importer;
    this.#app = tokens.app;
  }

  static async open(relay: KillableRelay, name: string, random: () => number): Promise<Ledger> {
    const registered = await relay.call("POST", "/importer/register", {
      body: { device_name: name },
    });
    const importer: string = registered.json.importer_token;
    const { json } = await relay.call("POST", "/importer/pairing-code", { token: importer });
    const body = { code: json.code, app_name: name, app_id: name };
    const claimed = await relay.call("POST", "/pair/claim", { body });
    return new Ledger(relay, random, { importer, app: claimed.json.app_token });
  }

  /** Sends, replaces, imports and withdraws until it is told to stop, or the relay is killed. */
  async work(stop: AbortSignal): Promise<void> {
    try {
      while (!stop.aborted) await this.#sendOne();
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
    }
  }

  /** What is acknowledged now must be in every backup that begins from now on. */
  mark(): void {
    for (const sent of this.#sent) sent.markedState = sent.state;
  }

  get markedCount(): number {
    return this.#sent.filter(({ markedState }) => markedState !== undefined).length;
  }

  /** Compares a relay that was restored from a backup, and from the log of removals, with what was marked. */
  async expectKeptBy(restored: KillableRelay): Promise<void> {
    for (const sent of this.#sent) {
      const { id, markedState, isWithdrawing, isWithdrawn, files } = sent;
      const status = await restored.call("GET", `/packages/${id}/status`, { token: this.#app });
      if (status.status === 404) {
        expect(isWithdrawing || markedState === undefined, `${id} is there`).toBe(true);
        continue;
      }
      expect(isWithdrawn, `${id} stays withdrawn`).toBe(false);
      if (markedState === undefined) continue;
      const found = stateOf(status, files.size);
      expect(STATES.indexOf(found), `${id} is ${found}`).toBeGreaterThanOrEqual(
        STATES.indexOf(markedState),
      );
      if (found === "waiting" || found === "imported") await this.#expectWhole(restored, sent);
    }
  }

  async #expectWhole(restored: KillableRelay, { id, files }: Sent): Promise<void> {
    const token = this.importer;
    await restored.call("POST", `/importer/packages/${id}/take`, {
      token,
      body: { run_id: "check", force: true },
    });
    for (const [file, bytes] of files) {
      const { status, body } = await restored.call(
        "GET",
        `/importer/packages/${id}/files/${file}`,
        { token },
      );
      expect(status, `${id}/${file}`).toBe(200);
      expect(body.equals(bytes), `${id}/${file} is whole`).toBe(true);
    }
  }

  async #sendOne(): Promise<void> {
    const fill = 1 + Math.floor(this.#random() * 255);
    const files = new Map(
      ["kick.wav", "pad.wav"].map((name) => [name, smallWav({ frames: 5000, fill })]),
    );
    const items = [...files].map(([name, bytes]) => describe(name, bytes));
    const body = { schema: "app2host/1", title: "Backed up", items };
    const { json } = await this.#ask(201, "POST", "/packages", { body });
    const sent: Sent = {
      id: json.package_id,
      files,
      state: "announced",
      isWithdrawing: false,
      isWithdrawn: false,
    };
    this.#sent.push(sent);
    const path = `/packages/${sent.id}`;
    // The second upload of a file replaces the first, whose bytes are deleted.
    for (const [name, bytes] of [...files, ...files]) {
      await this.#ask(200, "PUT", `${path}/files/${name}`, { body: bytes });
    }
    sent.state = "uploaded";
    await this.#ask(200, "POST", `${path}/commit`, {});
    sent.state = "waiting";
    if (this.#random() < 0.4) return this.#withdraw(sent);
    if (this.#random() < 0.5) await this.#import(sent);
  }

  async #withdraw(sent: Sent): Promise<void> {
    sent.isWithdrawing = true;
    await this.#ask(200, "DELETE", `/packages/${sent.id}`, {});
    sent.isWithdrawn = true;
  }

  async #import(sent: Sent): Promise<void> {
    const path = `/importer/packages/${sent.id}`;
    const token = this.importer;
    await this.#ask(200, "POST", `${path}/take`, { token, body: { run_id: "one" } });
    const results = { 1: { status: "imported" }, 2: { status: "imported" } };
    await this.#ask(200, "POST", `${path}/results`, { token, body: { results } });
    sent.state = "imported";
  }

  async #ask(
    status: number,
    method: string,
    path: string,
    options: Parameters<KillableRelay["call"]>[2],
  ): Promise<Answer> {
    const answer = await this.#relay.call(method, path, { token: this.#app, ...options });
    expect(answer.status, `${method} ${path}: ${answer.json?.error}`).toBe(status);
    return answer;
  }
}

function stateOf({ json }: Answer, fileCount: number): State {
  if (json.status === "imported" || json.status === "waiting") return json.status;
  const uploaded = Object.values(json.files).filter((state) => state === "uploaded");
  return uploaded.length === fileCount ? "uploaded" : "announced";
}
