import type { OutgoingHttpHeaders } from "node:http";
import { setTimeout } from "node:timers/promises";
import { isJsonObject } from "../../core/text/json-object.ts";
import { MAX_JSON_BYTES } from "../../core/limits.ts";
import {
  FOLLOWS_HEADER,
  FOLLOWS_REDIRECT,
  type AppsAnswer,
  type HelloAnswer,
  type PairingCodeAnswer,
  type PairingReply,
  type PairingRequestAnswer,
  type ReportAnswer,
  type ReportedResults,
  type TakeAnswer,
  type TakeRequest,
} from "../../core/protocol/importer-api.ts";
import { askRelay, callHello } from "./open-calls.ts";
import type { IdentityKey, RelayIdentity } from "./relay-identity.ts";
import type { Credential, HttpConnection, JsonCall } from "./http-connection.ts";
import { PackageList, type PackagesRead } from "../../core/importer/package-list.ts";
import {
  isApps,
  isImportable,
  isPackagesPage,
  isPairingCode,
  isPairingRequest,
  isRenamed,
  isReported,
  isTaken,
} from "../../core/importer/relay-answers.ts";
import { followRedirect, readDownload } from "./relay-download.ts";
import {
  isOwnRefusal,
  RelayError,
  RelayUnreachableError,
} from "../../core/importer/relay-errors.ts";
import { StaleConnectionError } from "./relay-errors.ts";
import type { OpenedFile, RelayPort } from "./relay-port.ts";

/** Status of a temporary redirect that keeps the method. */
const REDIRECTS = 307;
/** The longest Retry-After that is waited for; rate limits count per minute. */
const MAX_PAUSE_SECONDS = 60;
/** Limit of a page, which has at most `MAX_JSON_BYTES`, or one package (rule I5). */
const MAX_PAGE_BYTES = 2 * MAX_JSON_BYTES;

const PAIRING_REQUEST = "/importer/pairing-request";

/**
 * The importer's calls to one relay. They reject with `RelayError` when the relay refuses, or with
 * `RelayUnreachableError`; both carry a sentence for people. If the relay doesn't know the token, the client tries the other
 * identities that this relay may know, and a new one at the end (rule P9); after a 429 it waits for Retry-After and retries once.
 */
export class RelayClient {
  readonly #http: HttpConnection;
  readonly #identity: RelayIdentity;
  readonly #list: PackageList;
  readonly #pause: (seconds: number, signal: AbortSignal | undefined) => Promise<unknown>;

  /** @param pause replaced in tests */
  constructor(
    http: HttpConnection,
    identity: RelayIdentity,
    pause = (seconds: number, signal: AbortSignal | undefined): Promise<unknown> =>
      setTimeout(seconds * 1000, undefined, { ref: false, ...(signal && { signal }) }),
  ) {
    this.#http = http;
    this.#identity = identity;
    this.#pause = pause;
    this.#list = new PackageList({
      readPage: (after) => this.#ask(isPackagesPage, pageCall(after)),
      readPackage: (packageId) =>
        this.#ask(isImportable, {
          method: "GET",
          path: `/importer/packages/${encodeURIComponent(packageId)}`,
        }),
      host: http.host,
      now: () => performance.now(),
    });
  }

  /** The sender of reports: the address at which the identity in use was registered, and its device. */
  get reporter(): Pick<RelayPort, "relayUrl" | "deviceId"> {
    return this.#identity.key ?? { relayUrl: this.#identity.relayUrl };
  }

  /** Returns the port for packages that were just listed. Its calls fail while another identity is in use. */
  asPort(): RelayPort {
    const { key } = this.#identity;
    return {
      ...this.reporter,
      take: (packageId, run, signal) => this.take(packageId, run, signal, key),
      openFile: (path, options) => this.openFile(path, options, key),
      report: (packageId, results) => this.report(packageId, results, key),
    };
  }

  hello(): Promise<HelloAnswer> {
    return callHello(this.#http);
  }

  /** Creates a code, which replaces the previous one (rule P2). */
  pairingCode(): Promise<PairingCodeAnswer> {
    return this.#ask(isPairingCode, { method: "POST", path: "/importer/pairing-code" });
  }

  /** Ends the code early (rule P2); an older relay refuses. */
  async endPairingCode(): Promise<void> {
    await this.#ask(isJsonObject, { method: "DELETE", path: "/importer/pairing-code" });
  }

  /** Returns the app that waits for approval (rule P12); none at an older relay, which needs no approval. */
  async pairingRequest(): Promise<PairingRequestAnswer> {
    try {
      return await this.#ask(isPairingRequest, { method: "GET", path: PAIRING_REQUEST });
    } catch (error) {
      if (error instanceof RelayError && error.status === 404) return { request: null };
      throw error;
    }
  }

  /** Approves or denies the request. @throws {RelayError} 404 once the request is over */
  async answerPairing(reply: PairingReply): Promise<void> {
    await this.#ask(isJsonObject, { method: "POST", path: PAIRING_REQUEST, body: reply });
  }

  apps(): Promise<AppsAnswer> {
    return this.#ask(isApps, { method: "GET", path: "/importer/apps" });
  }

  /** Revokes every token of one app (rules P5, P7). */
  async unpair(pairingId: string): Promise<void> {
    const path = `/importer/apps/${encodeURIComponent(pairingId)}`;
    await this.#ask(isJsonObject, { method: "DELETE", path });
  }

  /** Renames this computer (rule P8); returns the name as the relay cleaned it. */
  async rename(deviceName: string): Promise<string> {
    const body = { device_name: deviceName };
    const answer = await this.#ask(isRenamed, { method: "PATCH", path: "/importer/me", body });
    this.#identity.noteName(answer.device_name);
    return answer.device_name;
  }

  /** Reads the list, with the results of what was reported. */
  packages(): Promise<PackagesRead> {
    return this.#list.read();
  }

  /** Takes a package's lease for a run, or renews it (rule S2). */
  take(
    packageId: string,
    request: TakeRequest,
    signal?: AbortSignal,
    owner?: IdentityKey,
  ): Promise<TakeAnswer> {
    const path = `/importer/packages/${encodeURIComponent(packageId)}/take`;
    return this.#ask(isTaken, { method: "POST", path, body: request, signal, owner });
  }

  report(packageId: string, results: ReportedResults, owner?: IdentityKey): Promise<ReportAnswer> {
    const path = `/importer/packages/${encodeURIComponent(packageId)}/results`;
    return this.#ask(isReported, { method: "POST", path, body: { results }, owner });
  }

  /** Downloads a sound from `startByte` on, or from byte 0 where the relay doesn't support ranges. */
  openFile(
    path: string,
    options: { readonly startByte: number; readonly signal: AbortSignal },
    owner?: IdentityKey,
  ): Promise<OpenedFile> {
    return this.#withToken(owner, async (credential) => {
      const { signal } = options;
      const range = options.startByte > 0 ? { range: `bytes=${options.startByte}-` } : {};
      const open = (headers: OutgoingHttpHeaders) =>
        this.#http.open({ method: "GET", path, to: credential, headers }, signal);
      const first = await open({ ...range, [FOLLOWS_HEADER]: FOLLOWS_REDIRECT });
      const answer =
        first.statusCode === REDIRECTS
          ? ((await followRedirect({ answer: first, headers: range, signal })) ??
            (await open(range)))
          : first;
      return readDownload(answer, { signal, host: this.#http.host });
    });
  }

  #ask<Body>(
    isExpected: (body: unknown) => body is Body,
    {
      owner,
      ...call
    }: Omit<JsonCall, "maxAnswerBytes" | "to"> & {
      readonly maxAnswerBytes?: number;
      readonly owner?: IdentityKey | undefined;
    },
  ): Promise<Body> {
    const { signal } = call;
    return this.#withToken(owner, (credential) =>
      this.#retryWhenBusy(
        () => askRelay(this.#http, isExpected, { ...call, to: credential }),
        signal,
      ),
    );
  }

  async #retryWhenBusy<Answer>(
    call: () => Promise<Answer>,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    signal?.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      const isBusy = error instanceof RelayError && error.status === 429;
      if (!isBusy || error.retryAfterSeconds === undefined) throw error;
      if (error.retryAfterSeconds > MAX_PAUSE_SECONDS) throw error;
      await this.#pause(error.retryAfterSeconds, signal);
    }
    signal?.throwIfAborted();
    return call();
  }

  /**
   * Makes a call with the token of the relay that answers, and again with the next one if the relay doesn't know it.
   * @param owner the only identity that may make the call; any where there is none
   */
  async #withToken<Answer>(
    owner: IdentityKey | undefined,
    call: (credential: Credential) => Promise<Answer>,
  ): Promise<Answer> {
    let isRepeated = false;
    for (;;) {
      const credential = await this.#identity.credential();
      if (owner !== undefined && !isSameKey(owner, this.#identity.key)) throw this.#notTheOwner();
      try {
        const answer = await call(credential);
        this.#identity.accept(credential.token);
        return answer;
      } catch (error) {
        const mayRepeat = this.#mayRepeat(error, credential.token, isRepeated);
        if (!mayRepeat) throw error;
        isRepeated = error instanceof StaleConnectionError || isTooOld(error);
      }
    }
  }

  /** Applies what a failure says about the identity and the relay, and returns whether to repeat the call. */
  #mayRepeat(error: unknown, token: string, isRepeated: boolean): boolean {
    if (isTooOld(error)) {
      // Another version of the relay may answer now: the next hello says what it speaks.
      this.#identity.doubt();
      return !isRepeated;
    }
    if (error instanceof RelayError) {
      // A call that arrives without its token says nothing about it.
      const isRefused = error.status === 401 && error.code !== "TOKEN_MISSING";
      return isRefused && this.#identity.refuse(token, error);
    }
    if (error instanceof RelayUnreachableError) this.#identity.doubt();
    return error instanceof StaleConnectionError && !isRepeated;
  }

  #notTheOwner(): RelayUnreachableError {
    return new RelayUnreachableError(
      `Another relay answers at ${this.#http.host} now, or it no longer knows this computer.`,
    );
  }
}

function pageCall(after: string) {
  return {
    method: "GET",
    path: `/importer/packages?after=${encodeURIComponent(after)}`,
    maxAnswerBytes: MAX_PAGE_BYTES,
  };
}

function isTooOld(error: unknown): boolean {
  return isOwnRefusal(error) && error.code === "IMPORTER_TOO_OLD";
}

function isSameKey(one: IdentityKey, other: IdentityKey | undefined): boolean {
  return one.relayUrl === other?.relayUrl && one.deviceId === other.deviceId;
}
