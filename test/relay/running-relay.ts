import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AnnounceAnswer, StatusAnswer } from "../../core/protocol/public-api.ts";
import { buildRelay, type Relay, type RelayOptions } from "../../relay/build-relay.ts";
import { sweep } from "../../relay/domain/upkeep/sweep.ts";
import { SteadyClock } from "../../relay/storage/steady-clock.ts";
import { openLog } from "../../relay/node.ts";
import { readRelaySettings } from "../../relay/settings.ts";
import { manifestOf } from "../manifest-of.ts";
import { smallWav } from "../wav-bytes.ts";
import { type CallOptions, fetchAnswer, type FetchedAnswer } from "../sim/world.ts";
import { requirePromised } from "./http/contract/promised.ts";
import { startWriterInside } from "./writer-inside.ts";

/** The real clock plus what the test adds. */
export class ShiftedClock {
  shiftMs = 0;
  // The process's own clock stays ahead once a test has set the date forward.
  readonly #clock = new SteadyClock({ wall: () => Date.now(), monotonic: () => performance.now() });
  #heldAt: number | undefined;
  now(): number {
    return (this.#heldAt ?? this.#clock.now()) + this.shiftMs;
  }
  confirmedNow(): number {
    return this.now();
  }
  /** From now on only `pass` moves it. */
  hold(): void {
    this.#heldAt ??= this.#clock.now();
  }
  pass(seconds: number): void {
    this.shiftMs += seconds * 1000;
  }
}

/** A relay on a free port and its own folder, with real sockets, files and database. */
export class RunningRelay implements AsyncDisposable {
  readonly relay: Relay;
  readonly url: string;
  readonly metricsUrl: string | undefined;
  readonly folder: string;
  readonly clock: ShiftedClock;
  readonly logLines: string[];

  private constructor(
    parts: Pick<RunningRelay, "relay" | "url" | "metricsUrl" | "folder" | "clock" | "logLines">,
  ) {
    this.relay = parts.relay;
    this.url = parts.url;
    this.metricsUrl = parts.metricsUrl;
    this.folder = parts.folder;
    this.clock = parts.clock;
    this.logLines = parts.logLines;
  }

  /**
   * @param settings environment variables, over defaults that suit a test
   * @param options `hasOwnClock` for the relay's own clock, which `clock` doesn't shift; `startWriter` unless the database
   * is written in the test's thread
   */
  static async start(
    settings: Record<string, string> = {},
    {
      ports,
      hasOwnClock = false,
      ...parts
    }: Omit<RelayOptions, "log"> & {
      readonly hasOwnClock?: boolean;
    } = {},
  ): Promise<RunningRelay> {
    const folder =
      settings["SOUNDFERRY_DATA"] ?? (await mkdtemp(join(tmpdir(), "soundferry-relay-")));
    const clock = new ShiftedClock();
    const logLines: string[] = [];
    const environment = {
      SOUNDFERRY_LOG_LEVEL: "debug",
      SOUNDFERRY_PORT: "0",
      SOUNDFERRY_DATA: folder,
      SOUNDFERRY_MIN_FREE_BYTES: "0",
      SOUNDFERRY_BALLAST_BYTES: "0",
      SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "1000",
      ...settings,
    };
    const read = readRelaySettings({ environment });
    const relay = await buildRelay(read, {
      log: openLog(read.logLevel, { write: (line) => void logLines.push(line) }),
      ports: { ...(!hasOwnClock && { clock }), ...ports },
      startWriter: startWriterInside,
      ...parts,
    });
    const { url, metricsUrl } = await relay.listen();
    return new RunningRelay({ relay, url, metricsUrl, folder, clock, logLines });
  }

  /** Stops the relay and keeps its folder, so that another can start on it. */
  async stop(): Promise<void> {
    await this.relay[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** A call with an optional body and an optional token. A refusal that the contract doesn't list fails (rule O2). */
  async call(method: string, path: string, options: CallOptions = {}): Promise<CallAnswer> {
    const answer = await fetchAnswer(this.url + path, { method, ...options });
    requirePromised({ method, path }, { status: answer.status, code: answer.json?.code });
    return { ...answer, text: answer.body.toString() };
  }

  /** Registers an importer. */
  async register(deviceName = "Studio"): Promise<Importer> {
    const { json } = await this.call("POST", "/importer/register", {
      body: { device_name: deviceName },
    });
    return { deviceId: json.device_id, token: json.importer_token };
  }

  /** Pairs an app with an importer's computer. */
  async pair(importer: Importer, { appId = "app-1", appName = "Looper" } = {}): Promise<string> {
    const { json } = await this.call("POST", "/importer/pairing-code", { token: importer.token });
    return this.claim(json.code, { appId, appName });
  }

  /** Pairs an app that has a code; returns its token. */
  async claim(code: string, { appId = "app-1", appName = "Looper" } = {}): Promise<string> {
    const body = { code, app_name: appName, app_id: appId };
    const headers = { "idempotency-key": `a key for ${code}` };
    return (await this.call("POST", "/pair/claim", { body, headers })).json.app_token;
  }

  /** An importer with one app. */
  async paired(): Promise<{ importer: Importer; token: string }> {
    const importer = await this.register();
    return { importer, token: await this.pair(importer) };
  }

  async announce(token: string, manifest: object): Promise<AnnounceAnswer> {
    const { json } = await this.call("POST", "/packages", { token, body: manifest });
    return json;
  }

  /** Announces, uploads and commits a package of small sounds. */
  async send(token: string, files: readonly string[] = ["kick.wav"]): Promise<string> {
    const announced = await this.announce(token, manifestOf(files));
    for (const file of files) {
      await this.call("PUT", announced.upload[file] ?? "", { token, body: smallWav() });
    }
    await this.call("POST", `/packages/${announced.package_id}/commit`, { token });
    return announced.package_id;
  }

  /** Deletes what has expired, as the relay does twice a minute. */
  async sweep(): Promise<void> {
    await sweep(this.relay.context);
  }

  async status(token: string, packageId: string): Promise<StatusAnswer> {
    return (await this.call("GET", `/packages/${packageId}/status`, { token })).json;
  }
}

export interface Importer {
  readonly deviceId: string;
  readonly token: string;
}

export interface CallAnswer extends FetchedAnswer {
  readonly text: string;
}
