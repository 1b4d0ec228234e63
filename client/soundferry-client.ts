import { parsePairingCode } from "../core/protocol/pairing-code.ts";
import type { PackageStatus } from "../core/protocol/package-status.ts";
import type {
  AnnounceAnswer,
  ClaimAnswer,
  MeAnswer,
  OwnPackage,
  OwnPackagesAnswer,
  StatusAnswer,
  UploadAnswer,
} from "../core/protocol/public-api.ts";
import type { JsonObject } from "../core/text/json-object.ts";
import { Keeper } from "./keeping/keeper.ts";
import type { TokenStore } from "./pairing/token-store.ts";
import { describePackage } from "./send/describe-package.ts";
import { followPackage, type FollowOptions } from "./send/follow-package.ts";
import type { OutgoingPackage, PackageDraft } from "./send/package-draft.ts";
import { prepareDescribed } from "./send/prepare-package.ts";
import { type ListOptions, RelayCalls, type Stoppable } from "./send/relay-calls.ts";
import type { SendOptions, SentPackage, Unfinished } from "./send/send-options.ts";
import { sendPackage, type SendTask } from "./send/send-package.ts";
import type { SendDeps } from "./send/send-run.ts";
import type { Sha256 } from "./send/sound-bytes.ts";
import { defaultUpload } from "./send/xhr-upload.ts";
import type { ClientError } from "./wire/client-error.ts";
import { randomId } from "./wire/random-id.ts";
import { type RelayHistory, RelayHttp } from "./wire/relay-http.ts";
import { type Pace, REAL_PACE, retrying } from "./wire/retry.ts";
import type { UploadTransport } from "./wire/upload-transport.ts";

/** The app that pairs. */
export interface AppIdentity {
  /** Shown to the user beside the pairing; at most 40 characters. */
  readonly name: string;
  /** Identifies this installation and stays the same each time it pairs; 1 to 200 characters. */
  readonly id: string;
}

/** The settings of a client. */
export interface ClientSettings {
  /** Base address, such as `https://relay.example`. */
  readonly relayUrl: string;
  /** Stores this pairing's token. */
  readonly tokenStore: TokenStore;
  /** Required to pair. Its name is also the default for a draft's `app`. */
  readonly app?: AppIdentity;
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch;
  /** Uploads files. Default: XMLHttpRequest in browsers, for its progress; otherwise `fetchUpload`. */
  readonly upload?: UploadTransport;
  /** Hashes files piece by piece. Default: the browser, or a Worker where the browser can't. */
  readonly sha256?: () => Sha256;
  /**
   * A copy of the client's Worker script on the page's own origin, for pages whose content policy allows no
   * `blob:` Worker. Default: a Blob.
   */
  readonly hashWorkerUrl?: string;
  /** `X-Service-Client`: `<app>/<version> (<display name>)`. Default: not sent. */
  readonly clientName?: string;
  /** Knowledge of the relay (rule W41), which clients of one relay can share. Default: none. */
  readonly history?: RelayHistory;
  /** The clock and the randomness of retries and of `follow`. */
  readonly pace?: Pace;
}

/** Long, because a relay may wait up to half a minute for a yes on the computer. */
const CLAIM_TIMEOUT_MS = 60_000;
/** Time for which a claim without an answer is repeated. Somebody waits for it. */
const REPEAT_CLAIM_MS = 2000;
/** Keys of claims that have not paired, so that the person can repeat those whose answer was lost, too (rule P13). */
const UNPAIRED = new Map<string, string>();

/**
 * An app's client for a relay: pairs with one computer and sends packages to it. Needs only `fetch`. Every
 * method throws `ClientError` with a sentence to show; a token that the relay doesn't know is forgotten (rule W7). Only `send`,
 * `follow` and `pair` retry automatically.
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
    this.#relay = new RelayHttp(relayUrl, fetch, clientName, settings.history);
    this.#tokens = tokenStore;
    this.#app = app;
    const upload = settings.upload ?? defaultUpload(fetch);
    this.#calls = new RelayCalls(this.#relay, tokenStore, upload, (token, isUnpaired) =>
      this.#keeper.move(token, isUnpaired ? undefined : ""),
    );
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
   * Exchanges a pairing code for a token and stores it. The code may be typed in any width and letter case, with
   * anything around it (rule P3). A claim whose answer was lost is repeated for a few seconds, and when it is
   * called again (rule P13).
   * @param app default: the one in the settings
   */
  async pair(
    code: string,
    app: AppIdentity | undefined = this.#app,
  ): Promise<Pick<ClaimAnswer, "device_name">> {
    if (app === undefined) throw new TypeError("To pair, give the client an `app`.");
    const body = { code: parsePairingCode(code) ?? code, app_name: app.name, app_id: app.id };
    const claim = JSON.stringify([this.relayUrl, body]);
    const key = UNPAIRED.get(claim) ?? randomId();
    UNPAIRED.delete(claim);
    const call = {
      method: "POST",
      path: "/pair/claim",
      body,
      headers: { "Idempotency-Key": key },
      timeoutMs: CLAIM_TIMEOUT_MS,
    } as const;
    const policy = {
      ...this.#deps.pace,
      tries: 1,
      giveUpAfterMs: REPEAT_CLAIM_MS,
      onRetry: (error: ClientError) => {
        if (error.code === "LOCAL_NETWORK_ASKING") throw error;
      },
    };
    const { app_token, device_name } = await retrying(policy, () =>
      this.#relay.call<ClaimAnswer>(call, {
        shape: { app_token: "string", device_name: "string" },
      }),
    ).catch((error: unknown) => {
      UNPAIRED.set(claim, key);
      throw error;
    });
    await this.#tokens.save(app_token);
    await this.#keeper.move("", app_token);
    return { device_name };
  }

  /** Gets the computer that this app is paired with. */
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

  /** Gets the status. With `known`, waits up to `waitSeconds` (at most 30) until it differs (rule S8). */
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
    return followPackage(this.#calls, packageId, this.#deps.pace, options);
  }

  /**
   * Gets one page of the packages that this app sent to this computer, newest first. A page may be short, even empty.
   * @throws {ClientError} `LIST_UNSUPPORTED` at a relay that knows only the public specification
   */
  async list(options: ListOptions = {}): Promise<OwnPackagesAnswer> {
    return this.#calls.list(options);
  }

  /** Yields the packages of all pages, as `list` does; gets each page when it is needed. */
  async *listAll(options: ListOptions = {}): AsyncGenerator<OwnPackage, void, undefined> {
    let { after } = options;
    do {
      const { packages, next } = await this.list({ ...options, after });
      yield* packages;
      after = next ?? undefined;
    } while (after !== undefined);
  }

  /** Withdraws a package that is not in the host yet. */
  async withdraw(packageId: string): Promise<void> {
    return this.#calls.withdraw(packageId);
  }

  /** Revokes this client's token, and forgets it and the packages that the browser keeps. */
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
    if ((options.keep ?? false) !== false) return this.#keeper.send(described, options);
    const isNew = options.idempotencyKey === undefined;
    return this.#send(options, (run) => prepareDescribed(run, described, isNew));
  }

  /** Like `send`, for an app that already has a manifest with checksums. Nothing is checked or kept. */
  async sendManifest(outgoing: OutgoingPackage, options: SendOptions = {}): Promise<SentPackage> {
    return this.#send(options, async () => outgoing);
  }

  /**
   * Lists the kept packages of this pairing that are not completely sent, oldest first. Without a pairing, lists those that
   * a refused token left for the next one.
   */
  async unfinished(): Promise<readonly Unfinished[]> {
    return this.#keeper.list();
  }

  /** Removes what the browser keeps for this pairing, without asking the relay. */
  async forgetKept(): Promise<void> {
    return this.#keeper.move(await this.#calls.token());
  }

  async #send(options: SendOptions, prepare: SendTask["prepare"]): Promise<SentPackage> {
    const { idempotencyKey } = options;
    const isOwnKey = idempotencyKey !== undefined;
    const task = { key: idempotencyKey ?? randomId(), isOwnKey, isNew: !isOwnKey, prepare };
    return sendPackage(this.#deps, task, options);
  }
}
