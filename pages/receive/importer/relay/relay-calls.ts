import {
  isApps,
  isHello,
  isImportable,
  isPackagesPage,
  isPairingCode,
  isPairingRequest,
  isRegistered,
  isRenamed,
  isReported,
  isTaken,
} from "../../../../core/importer/relay-answers.ts";
import {
  ForeignAnswerError,
  isOwnRefusal,
  notSoundferry,
  refusalIn,
  RelayError,
  RelayUnreachableError,
} from "../../../../core/importer/relay-errors.ts";
import { PackageList, type PackagesRead } from "../../../../core/importer/package-list.ts";
import { MAX_JSON_BYTES } from "../../../../core/limits.ts";
import {
  type AppsAnswer,
  type HelloAnswer,
  IMPORTER_APIS,
  IMPORTER_HEADER,
  type PairingCodeAnswer,
  type PairingReply,
  type PairingRequestAnswer,
  REGISTRATION_KEY_HEADER,
  type RegisterAnswer,
  type ReportAnswer,
  type ReportedResults,
  type TakeAnswer,
  type TakeRequest,
} from "../../../../core/protocol/importer-api.ts";
import { RELAY_MARK } from "../../../../core/protocol/relay-mark.ts";
import { runSentence } from "../../../../core/protocol/run-sentences.ts";
import { isJsonObject } from "../../../../core/text/json-object.ts";
import { VERSION } from "../../../../core/version.ts";
import { readJson } from "./read-json.ts";

const ANSWER_LIMIT_MS = 30_000;
/** The longest Retry-After that is waited for; rate limits count per minute. */
const MAX_PAUSE_SECONDS = 60;
const MAX_PAGE_BYTES = 2 * MAX_JSON_BYTES;

/** Headers of every call (rule I4). */
export const IMPORTER_HEADERS = { [IMPORTER_HEADER]: `${VERSION}; api=${IMPORTER_APIS.at(-1)}` };

interface Call {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxAnswerBytes?: number;
}

interface BytesOfFile {
  readonly offset: number;
  readonly length: number;
}

/**
 * The importer's calls to the relay that served the page. They reject with `RelayError` when the relay refuses, or with
 * `RelayUnreachableError`; both have a sentence for people. The token goes in a header, and nowhere else.
 */
export class RelayCalls {
  readonly host = location.host;
  readonly #token: () => string | undefined;
  readonly #list: PackageList;

  /** @param token returns this browser's token, once it has one */
  constructor(token: () => string | undefined) {
    this.#token = token;
    this.#list = new PackageList({
      readPage: (after) =>
        this.#ask(isPackagesPage, {
          method: "GET",
          path: `/importer/packages?after=${encodeURIComponent(after)}`,
          maxAnswerBytes: MAX_PAGE_BYTES,
        }),
      readPackage: (packageId) => {
        return this.#ask(isImportable, { method: "GET", path: packagePath(packageId) });
      },
      host: this.host,
      now: () => performance.now(),
    });
  }

  /** Headers of a call that needs the token. */
  get headers(): Record<string, string> {
    const token = this.#token();
    return {
      ...IMPORTER_HEADERS,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
  }

  /** Checks that a compatible relay answers, without the token. */
  async hello(): Promise<HelloAnswer> {
    const call = { method: "GET", path: "/importer/hello", headers: IMPORTER_HEADERS } as const;
    const answer = await this.#ask(isHello, call);
    if (answer.importer_api.some((version) => IMPORTER_APIS.some((own) => own === version))) {
      return answer;
    }
    throw notSoundferry(this.host);
  }

  register(deviceName: string, registrationKey?: string): Promise<RegisterAnswer> {
    return this.#ask(isRegistered, {
      method: "POST",
      path: "/importer/register",
      headers: {
        ...IMPORTER_HEADERS,
        ...(registrationKey !== undefined && { [REGISTRATION_KEY_HEADER]: registrationKey }),
      },
      body: { device_name: deviceName },
    });
  }

  async rename(deviceName: string): Promise<string> {
    const body = { device_name: deviceName };
    const answer = await this.#ask(isRenamed, { method: "PATCH", path: "/importer/me", body });
    return answer.device_name;
  }

  /** Deletes this device with its apps and packages. */
  async remove(): Promise<void> {
    await this.#ask(isJsonObject, { method: "DELETE", path: "/importer/me" });
  }

  pairingCode(): Promise<PairingCodeAnswer> {
    return this.#ask(isPairingCode, { method: "POST", path: "/importer/pairing-code" });
  }

  async endPairingCode(): Promise<void> {
    await this.#ask(isJsonObject, { method: "DELETE", path: "/importer/pairing-code" });
  }

  pairingRequest(): Promise<PairingRequestAnswer> {
    return this.#ask(isPairingRequest, { method: "GET", path: "/importer/pairing-request" });
  }

  async answerPairing(body: PairingReply): Promise<void> {
    await this.#ask(isJsonObject, { method: "POST", path: "/importer/pairing-request", body });
  }

  apps(): Promise<AppsAnswer> {
    return this.#ask(isApps, { method: "GET", path: "/importer/apps" });
  }

  async unpair(pairingId: string): Promise<void> {
    const path = `/importer/apps/${encodeURIComponent(pairingId)}`;
    await this.#ask(isJsonObject, { method: "DELETE", path });
  }

  packages(): Promise<PackagesRead> {
    return this.#list.read();
  }

  take(packageId: string, body: TakeRequest, signal?: AbortSignal): Promise<TakeAnswer> {
    const path = `${packagePath(packageId)}/take`;
    return this.#ask(isTaken, { method: "POST", path, body, signal });
  }

  report(packageId: string, results: ReportedResults): Promise<ReportAnswer> {
    const path = `${packagePath(packageId)}/results`;
    return this.#ask(isReported, { method: "POST", path, body: { results } });
  }

  /**
   * Opens a sound.
   * @param path as the relay listed it
   * @param part the bytes to ask for; all by default
   */
  async open(path: string, signal: AbortSignal, part?: BytesOfFile): Promise<Response> {
    const range =
      part === undefined ? {} : { range: `bytes=${part.offset}-${part.offset + part.length - 1}` };
    const answer = await this.#fetch({
      method: "GET",
      path,
      headers: { ...this.headers, ...range },
      signal,
    });
    if (answer.ok) return answer;
    throw await this.#refusal(answer);
  }

  async #ask<Body>(isExpected: (body: unknown) => body is Body, call: Call): Promise<Body> {
    try {
      return await this.#askOnce(isExpected, call);
    } catch (error) {
      const isBusy = error instanceof RelayError && error.status === 429;
      const seconds = isBusy ? error.retryAfterSeconds : undefined;
      if (seconds === undefined || seconds > MAX_PAUSE_SECONDS) throw error;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      call.signal?.throwIfAborted();
      return this.#askOnce(isExpected, call);
    }
  }

  async #askOnce<Body>(isExpected: (body: unknown) => body is Body, call: Call): Promise<Body> {
    const late = AbortSignal.timeout(ANSWER_LIMIT_MS);
    const signal = call.signal === undefined ? late : AbortSignal.any([call.signal, late]);
    const answer = await this.#fetch({ headers: this.headers, ...call, signal });
    if (!answer.ok) throw await this.#refusal(answer);
    const body = await this.#read(answer, call.maxAnswerBytes);
    if (!isExpected(body)) throw notSoundferry(this.host);
    return body;
  }

  /** Makes a call; what answers without the relay's mark is somebody else (rule I6). */
  async #fetch({ method, path, body, headers = {}, signal }: Call): Promise<Response> {
    const answer = await fetch(path, {
      method,
      headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
      cache: "no-store",
      credentials: "omit",
      mode: "same-origin",
      redirect: "error",
      referrerPolicy: "no-referrer",
    }).catch((cause: unknown) => {
      throw this.#unreachable(cause);
    });
    if (answer.headers.has(RELAY_MARK.name)) return answer;
    await answer.body?.cancel();
    throw new ForeignAnswerError({ statusCode: answer.status, headers: {} }, this.host, true);
  }

  async #refusal(answer: Response): Promise<RelayError> {
    const retryAfter = answer.headers.get("retry-after") ?? undefined;
    const { status } = answer;
    const headers = { ...(retryAfter !== undefined && { "retry-after": retryAfter }) };
    return refusalIn({ status, headers, body: await this.#read(answer) }, this.host);
  }

  async #read(answer: Response, maxBytes = MAX_JSON_BYTES): Promise<unknown> {
    try {
      return await readJson(answer, maxBytes);
    } catch (cause) {
      if (cause instanceof RangeError) {
        throw new RelayUnreachableError(`The answer from ${this.host} is too long.`);
      }
      throw this.#unreachable(cause);
    }
  }

  #unreachable(cause: unknown): RelayUnreachableError {
    return new RelayUnreachableError(runSentence("RELAY_UNREACHABLE", { relay: this.host }), {
      cause,
    });
  }
}

/** Returns whether the relay doesn't know this browser's token. */
export function isUnknownHere(error: unknown): boolean {
  return isOwnRefusal(error) && error.status === 401 && error.code !== "TOKEN_MISSING";
}

function packagePath(packageId: string): string {
  return `/importer/packages/${encodeURIComponent(packageId)}`;
}
