import type { PackageStatus } from "../core/protocol/package-status.ts";
import type {
  AnnounceAnswer,
  ClaimAnswer,
  MeAnswer,
  StatusAnswer,
  UploadAnswer,
} from "../core/protocol/public-api.ts";
import type { JsonObject } from "../core/text/json-object.ts";
import { type AppIdentity, type ClientSettings, REAL_PACE } from "./wire/client-settings.ts";
import { describePackage } from "./send/describe-package.ts";
import { followPackage, type FollowOptions } from "./send/follow-package.ts";
import { Keeper } from "./browser/keeping/keeper.ts";
import type { OutgoingPackage } from "./send/outgoing-package.ts";
import type { PackageDraft } from "./send/package-draft.ts";
import { randomId } from "./wire/random-id.ts";
import { RelayCalls, type Stoppable } from "./wire/relay-calls.ts";
import { RelayHttp } from "./wire/relay-http.ts";
import { prepareDescribed, type SendDeps, sendTask } from "./send/send-described.ts";
import type { SendOptions, SentPackage } from "./send/send-options.ts";
import type { TokenStore } from "./pairing/token-store.ts";
import type { Unfinished } from "./send/unfinished.ts";
import { fetchUpload, type UploadTransport } from "./wire/upload-transport.ts";
import { browserXhr, xhrUpload } from "./browser/xhr-upload.ts";

/** A relay may wait for a yes on the computer before it answers, half a minute at most. */
const CLAIM_TIMEOUT_MS = 60_000;

/**
 * An app's client for a relay: pairs with one computer and sends packages to it. Needs only `fetch`. Every
 * method throws `ClientError` with a sentence to show; a 401 forgets the token (rule W7). Only `send` and
 * `follow` retry automatically.
 */
export class SoundferryClient {
  readonly #relay: RelayHttp;
  readonly #calls: RelayCalls;
  readonly #tokens: TokenStore;
  readonly #app: AppIdentity | undefined;
  readonly #deps: SendDeps;
  readonly #keeper: Keeper;

  /** @throws {ClientError} if the address is not http or https */
  constructor({ relayUrl, tokenStore, app, clientName, pace, ...settings }: ClientSettings) {
    // A browser's fetch works only as a method of the global object.
    const fetch: typeof globalThis.fetch =
      settings.fetch ?? ((...request) => globalThis.fetch(...request));
    const { sha256, hashWorkerUrl: workerUrl } = settings;
    this.#relay = new RelayHttp(relayUrl, fetch, clientName);
    this.#tokens = tokenStore;
    this.#app = app;
    this.#calls = new RelayCalls(this.#relay, tokenStore, settings.upload ?? defaultUpload(fetch));
    this.#deps = {
      calls: this.#calls,
      pace: pace ?? REAL_PACE,
      hashSettings: { sha256, workerUrl },
    };
    this.#keeper = new Keeper(this.#deps, this.#relay.relayUrl);
  }

  /** The relay's base address, without a trailing slash. */
  get relayUrl(): string {
    return this.#relay.relayUrl;
  }

  /**
   * Exchanges a pairing code for a token and stores it. Spaces and letter case in the code don't matter.
   * @param app default: the one in the settings
   */
  async pair(
    code: string,
    app: AppIdentity | undefined = this.#app,
  ): Promise<Pick<ClaimAnswer, "device_name">> {
    if (app === undefined) throw new TypeError("To pair, give the client an `app`.");
    const body = { code, app_name: app.name, app_id: app.id };
    const { app_token, device_name } = await this.#relay.call<ClaimAnswer>(
      { method: "POST", path: "/pair/claim", body, timeoutMs: CLAIM_TIMEOUT_MS },
      ["app_token", "device_name"],
    );
    await this.#tokens.save(app_token);
    return { device_name };
  }

  /** The computer this app is paired with. */
  async me(): Promise<MeAnswer> {
    return this.#calls.me();
  }

  /** Describes a package. The same key with the same manifest returns the same package again (rule M9). */
  async announce(
    manifest: JsonObject,
    options: Stoppable & { readonly idempotencyKey?: string } = {},
  ): Promise<AnnounceAnswer> {
    return this.#calls.announce(manifest, options);
  }

  /** Uploads one whole file to a path that `announce` returned. */
  async upload(
    path: string,
    sound: Blob,
    options: Stoppable & { readonly onProgress?: (sentBytes: number) => void } = {},
  ): Promise<UploadAnswer> {
    return this.#calls.upload(path, sound, options);
  }

  /** Marks the upload as complete; from now on the package is ready to import. */
  async commit(packageId: string, options: Stoppable = {}): Promise<void> {
    return this.#calls.commit(packageId, options);
  }

  /** The status. With `known`, waits up to `waitSeconds` (at most 30) until it differs (rule S8). */
  async status(
    packageId: string,
    options: Stoppable & { readonly waitSeconds?: number; readonly known?: PackageStatus } = {},
  ): Promise<StatusAnswer> {
    return this.#calls.status(packageId, options);
  }

  /** Yields the status now and after each change; ends with one that is neither `uploading` nor `waiting`. */
  follow(
    packageId: string,
    options: FollowOptions = {},
  ): AsyncGenerator<StatusAnswer, void, undefined> {
    return followPackage(
      (question) => this.#calls.status(packageId, question),
      this.#deps.pace,
      options,
    );
  }

  /** Withdraws a package that is not in the host yet. */
  async withdraw(packageId: string): Promise<void> {
    return this.#calls.withdraw(packageId);
  }

  /** Revokes this client's token and forgets it. */
  async unpair(): Promise<void> {
    return this.#calls.unpair();
  }

  /**
   * Sends a package: checks its sounds and the computer's room, hashes, announces, uploads up to three files at a
   * time, commits. Interrupted uploads resume, and it waits while the relay can't be reached. The package is then
   * ready to import. After a final refusal it is withdrawn, unless it was sent under the app's own key.
   */
  async send(draft: PackageDraft, options: SendOptions = {}): Promise<SentPackage> {
    await this.#calls.token();
    const described = describePackage(draft, this.#app?.name);
    if (options.keep === true) return this.#keeper.send(described, options);
    const isNew = options.idempotencyKey === undefined;
    return this.#sendTask(options, (persistence) =>
      prepareDescribed(this.#deps, described, { persistence, options, isNew }),
    );
  }

  /** Like `send`, for an app that already has a manifest with checksums. Nothing is checked or kept. */
  async sendManifest(outgoing: OutgoingPackage, options: SendOptions = {}): Promise<SentPackage> {
    return this.#sendTask(options, async () => outgoing);
  }

  /** Packages of this pairing that were kept and not sent to their end, oldest first. */
  async unfinished(): Promise<readonly Unfinished[]> {
    return this.#keeper.list();
  }

  async #sendTask(
    options: SendOptions,
    prepare: Parameters<typeof sendTask>[1]["prepare"],
  ): Promise<SentPackage> {
    const { idempotencyKey } = options;
    const isOwnKey = idempotencyKey !== undefined;
    const task = { key: idempotencyKey ?? randomId(), isOwnKey, isNew: !isOwnKey, prepare };
    return sendTask(this.#deps, task, options);
  }
}

function defaultUpload(fetch: typeof globalThis.fetch): UploadTransport {
  const xhr = browserXhr();
  return xhr === undefined ? fetchUpload(fetch) : xhrUpload(xhr);
}
