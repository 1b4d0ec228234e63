import type { JsonObject } from "../core/text/json-object.ts";
import type { PackageStatus } from "../core/protocol/package-status.ts";
import type {
  AnnounceAnswer,
  ClaimAnswer,
  MeAnswer,
  StatusAnswer,
  UploadAnswer,
} from "../core/protocol/public-api.ts";
import { ClientError } from "./client-error.ts";
import { type AppIdentity, type ClientSettings, type Pace, REAL_PACE } from "./client-settings.ts";
import { followPackage, type FollowOptions } from "./follow-package.ts";
import type { Sha256 } from "./hash-sound.ts";
import type { OutgoingPackage } from "./outgoing-package.ts";
import type { PackageDraft } from "./package-draft.ts";
import { preparePackage } from "./prepare-package.ts";
import { RelayHttp, type RelayCall } from "./relay-http.ts";
import type { SendOptions, SentPackage } from "./send-options.ts";
import { sendPackage } from "./send-package.ts";
import type { TokenStore } from "./token-store.ts";
import type { Unfinished } from "./unfinished.ts";
import { fetchUpload, type UploadTransport } from "./upload-transport.ts";
import { browserXhr, xhrUpload } from "./xhr-upload.ts";

/** A relay may wait for a yes on the computer before it answers, half a minute at most. */
const CLAIM_TIMEOUT_MS = 60_000;

interface Stoppable {
  readonly signal?: AbortSignal;
}

/**
 * An app's client for a relay: pairs with one computer and sends packages to it. Needs only `fetch`. Every
 * method throws `ClientError` with a sentence to show; a 401 forgets the token (rule W7). Only `send` and
 * `follow` retry automatically.
 */
export class SoundferryClient {
  readonly #relay: RelayHttp;
  readonly #tokens: TokenStore;
  readonly #upload: UploadTransport;
  readonly #pace: Pace;
  readonly #app: AppIdentity | undefined;
  readonly #sha256: (() => Sha256) | undefined;

  /** @throws {ClientError} if the address is not http or https */
  constructor({ relayUrl, tokenStore, app, clientName, pace, ...settings }: ClientSettings) {
    // A browser's fetch works only as a method of the global object.
    const fetch: typeof globalThis.fetch =
      settings.fetch ?? ((...request) => globalThis.fetch(...request));
    this.#relay = new RelayHttp(relayUrl, fetch, clientName);
    this.#tokens = tokenStore;
    this.#upload = settings.upload ?? defaultUpload(fetch);
    this.#pace = pace ?? REAL_PACE;
    this.#app = app;
    this.#sha256 = settings.sha256;
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
    return this.#call<MeAnswer>({ method: "GET", path: "/app/me" }, ["device_name", "app_name"]);
  }

  /** Describes a package. The same key with the same manifest returns the same package again (rule M9). */
  async announce(
    manifest: JsonObject,
    { idempotencyKey, signal }: Stoppable & { readonly idempotencyKey?: string } = {},
  ): Promise<AnnounceAnswer> {
    const headers = idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey };
    return this.#call<AnnounceAnswer>(
      { method: "POST", path: "/packages", body: manifest, headers, signal },
      ["package_id", "upload", "warnings"],
    );
  }

  /** Uploads one file to a path that `announce` returned. */
  async upload(
    path: string,
    sound: Blob,
    { onProgress, signal }: Stoppable & { readonly onProgress?: (sentBytes: number) => void } = {},
  ): Promise<UploadAnswer> {
    return this.#withToken((token) =>
      this.#relay.answerOf<UploadAnswer>(["file"], signal, () =>
        this.#upload({
          url: this.#relay.addressOf(path),
          headers: { ...this.#relay.headersFor(token), "Content-Type": "audio/wav" },
          sound,
          onProgress: onProgress ?? (() => {}),
          signal,
        }),
      ),
    );
  }

  /** Marks the upload as complete; from now on the package is ready to import. */
  async commit(packageId: string, { signal }: Stoppable = {}): Promise<void> {
    await this.#call({ method: "POST", path: `${pathOf(packageId)}/commit`, signal }, []);
  }

  /** The status. With `known`, waits up to `waitSeconds` (at most 30) until it differs (rule S8). */
  async status(
    packageId: string,
    options: Stoppable & { readonly waitSeconds?: number; readonly known?: PackageStatus } = {},
  ): Promise<StatusAnswer> {
    const { waitSeconds = 0, known, signal } = options;
    const query = new URLSearchParams({
      ...(waitSeconds > 0 && { wait: String(waitSeconds) }),
      ...(known !== undefined && { known }),
    });
    const path = `${pathOf(packageId)}/status${query.size > 0 ? `?${query.toString()}` : ""}`;
    const timeoutMs = 30_000 + waitSeconds * 1000;
    return this.#call<StatusAnswer>({ method: "GET", path, signal, timeoutMs }, ["status"]);
  }

  /** Yields the status now and after each change; ends with one that is neither `uploading` nor `waiting`. */
  follow(
    packageId: string,
    options: FollowOptions = {},
  ): AsyncGenerator<StatusAnswer, void, undefined> {
    return followPackage((question) => this.status(packageId, question), this.#pace, options);
  }

  /** Withdraws a package that is not in the host yet. */
  async withdraw(packageId: string): Promise<void> {
    await this.#call({ method: "DELETE", path: pathOf(packageId) }, []);
  }

  /** Revokes this client's token and forgets it. */
  async unpair(): Promise<void> {
    await this.#withToken(async (token) => {
      await this.#relay.call({ method: "POST", path: "/app/unpair", token }, []);
      await this.#tokens.forget(token);
    });
  }

  /**
   * Sends a package: names and hashes its files, announces, uploads up to three at a time, commits. Temporary
   * failures are retried with backoff. The package is then ready to import. After a failure, an announced
   * package stays until its upload window ends: send again with the same key, or withdraw it.
   */
  async send(draft: PackageDraft, options: SendOptions = {}): Promise<SentPackage> {
    // Hashing takes a while, so fail early if not paired.
    await this.#token();
    const prepare = { ...options, appName: this.#app?.name, sha256: this.#sha256 };
    return this.sendManifest(await preparePackage(draft, prepare), options);
  }

  /** Like `send`, for an app that already has a manifest with checksums. */
  async sendManifest(outgoing: OutgoingPackage, options: SendOptions = {}): Promise<SentPackage> {
    return sendPackage(this, outgoing, this.#pace, options);
  }

  /** Packages that were kept and not sent to their end, oldest first. */
  async unfinished(): Promise<readonly Unfinished[]> {
    return [];
  }

  async #call<Answer extends object>(
    call: RelayCall,
    members: readonly (keyof Answer & string)[],
  ): Promise<Answer> {
    return this.#withToken((token) => this.#relay.call<Answer>({ ...call, token }, members));
  }

  async #withToken<Answer>(act: (token: string) => Promise<Answer>): Promise<Answer> {
    const token = await this.#token();
    try {
      return await act(token);
    } catch (error) {
      if (error instanceof ClientError && error.status === 401) await this.#tokens.forget(token);
      throw error;
    }
  }

  async #token(): Promise<string> {
    const token = await this.#tokens.load();
    if (token !== undefined) return token;
    const sentence = "Not paired with this relay yet. Enter a pairing code.";
    throw new ClientError(sentence, { status: 401, code: "NOT_PAIRED" });
  }
}

function defaultUpload(fetch: typeof globalThis.fetch): UploadTransport {
  const xhr = browserXhr();
  return xhr === undefined ? fetchUpload(fetch) : xhrUpload(xhr);
}

function pathOf(packageId: string): string {
  return `/packages/${encodeURIComponent(packageId)}`;
}
