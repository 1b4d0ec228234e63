import { PACKAGE_STATUSES, type PackageStatus } from "../../core/protocol/package-status.ts";
import type {
  AnnounceAnswer,
  MeAnswer,
  StatusAnswer,
  UploadAnswer,
} from "../../core/protocol/public-api.ts";
import {
  formatUploadComplete,
  parseUploadComplete,
  parseUploadOffset,
  PARTIAL_UPLOAD_TYPE,
  UPLOAD_HEADERS,
  UPLOAD_INTEROP_VERSION,
} from "../../core/protocol/upload-draft.ts";
import type { JsonObject } from "../../core/text/json-object.ts";
import { memoryWithdrawals, type TokenStore } from "../pairing/token-store.ts";
import { isPairingOver } from "../wire/answer-error.ts";
import { ClientError } from "../wire/client-error.ts";
import type { RelayCall, RelayHttp, Success } from "../wire/relay-http.ts";
import {
  APPEND_STALL_MS,
  type UploadRequest,
  type UploadTransport,
} from "../wire/upload-transport.ts";
import { Withdrawals } from "./withdrawals.ts";

/** Short, because a relay answers a withdrawal at once; otherwise it is tried again later. */
const WITHDRAW_TIMEOUT_MS = 5000;

export interface Stoppable {
  readonly signal?: AbortSignal | undefined;
}

/** The part of a file that a relay has. */
export interface UploadState {
  /** Number of bytes received so far. */
  readonly offset: number;
  /** True if the file is complete and was accepted. */
  readonly isComplete: boolean;
}

interface Uploading extends Stoppable {
  readonly onProgress?: (sentBytes: number) => void;
}

/**
 * Called before a token is forgotten. Never rejects.
 * @param isUnpaired true if the person unpairs here
 */
type OnEnded = (token: string, isUnpaired: boolean) => Promise<void>;

/** The calls of a paired app, one request each. A token that the relay doesn't know is forgotten (rule W7). */
export class RelayCalls {
  /** Withdrawals, which are tried again until the relay gets them. */
  readonly withdrawals: Withdrawals;
  readonly relay: RelayHttp;
  readonly #tokens: TokenStore;
  readonly #transport: UploadTransport;
  readonly #onEnded: OnEnded;

  constructor(relay: RelayHttp, tokens: TokenStore, transport: UploadTransport, onEnded: OnEnded) {
    this.#onEnded = onEnded;
    this.relay = relay;
    this.#tokens = tokens;
    this.#transport = transport;
    const withdraw = (packageId: string) =>
      this.withdraw(packageId, { keepalive: true, timeoutMs: WITHDRAW_TIMEOUT_MS });
    this.withdrawals = new Withdrawals(withdraw, tokens.withdrawals ?? memoryWithdrawals());
  }

  async me({ signal }: Stoppable = {}): Promise<MeAnswer> {
    const shape = { device_name: "string", app_name: "string" } as const;
    return this.#call<MeAnswer>({ method: "GET", path: "/app/me", signal }, { shape });
  }

  async announce(
    manifest: JsonObject,
    { idempotencyKey, signal }: Stoppable & { readonly idempotencyKey?: string | undefined },
  ): Promise<AnnounceAnswer> {
    const headers = idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey };
    return this.#call<AnnounceAnswer>(
      { method: "POST", path: "/packages", body: manifest, headers, signal },
      { shape: { package_id: "string", upload: "object", warnings: "object" } },
    );
  }

  /** Uploads a whole file. */
  async upload(path: string, sound: Blob, options: Uploading): Promise<UploadAnswer> {
    return this.#send(path, { sound, headers: { "Content-Type": "audio/wav" } }, options);
  }

  /**
   * Asks how much of a file has arrived; undefined from a relay that speaks another version (rule U10).
   * @throws {ClientError} 400, 404 or 405 from one that resumes no uploads
   */
  async uploadState(path: string, { signal }: Stoppable): Promise<UploadState | undefined> {
    const call = { method: "HEAD", path, headers: STATE_HEADERS, signal } as const;
    return this.#withToken(async (token) =>
      readUploadState(await this.relay.headersOf({ ...call, token })),
    );
  }

  /** Appends a part of a file at an offset (rule U10). */
  async append(
    path: string,
    sound: Blob,
    {
      offset,
      isLast,
      ...options
    }: Uploading & { readonly offset: number; readonly isLast: boolean },
  ): Promise<void> {
    const headers = appendHeaders(offset, isLast);
    const request = { method: "PATCH", sound, headers, stallMs: APPEND_STALL_MS } as const;
    await this.#send(path, request, options);
  }

  async commit(packageId: string, { signal }: Stoppable): Promise<void> {
    const proof = async (): Promise<boolean> =>
      isCommitted(await this.status(packageId, { signal }));
    await this.#call({ method: "POST", path: `${pathOf(packageId)}/commit`, signal }, { proof });
  }

  async status(
    packageId: string,
    options: Stoppable & { readonly waitSeconds?: number; readonly known?: PackageStatus },
  ): Promise<StatusAnswer> {
    const { waitSeconds = 0, known, signal } = options;
    const query = new URLSearchParams({
      ...(waitSeconds > 0 && { wait: String(waitSeconds) }),
      ...(known !== undefined && { known }),
    });
    const path = `${pathOf(packageId)}/status${query.size > 0 ? `?${query.toString()}` : ""}`;
    const timeoutMs = 30_000 + waitSeconds * 1000;
    const shape = { status: PACKAGE_STATUSES };
    return this.#call<StatusAnswer>({ method: "GET", path, signal, timeoutMs }, { shape });
  }

  async withdraw(
    packageId: string,
    options: Pick<RelayCall, "keepalive" | "timeoutMs"> = {},
  ): Promise<void> {
    const proof = (): Promise<boolean> => isRefusedWith(404, this.status(packageId, {}));
    await this.#call({ method: "DELETE", path: pathOf(packageId), ...options }, { proof });
  }

  async unpair(): Promise<void> {
    await this.#withToken(async (token) => {
      const proof = (): Promise<boolean> => isRefusedWith(401, this.me());
      await this.relay.call({ method: "POST", path: "/app/unpair", token }, { proof });
      await this.#end(token, true);
    }, true);
  }

  /** @throws {ClientError} `NOT_PAIRED` */
  async token(): Promise<string> {
    const token = await this.#tokens.load();
    if (token !== undefined) return token;
    const sentence = "Not paired with this relay yet. Enter a pairing code.";
    throw new ClientError(sentence, { status: 401, code: "NOT_PAIRED" });
  }

  async #send(
    path: string,
    request: Pick<UploadRequest, "method" | "sound" | "headers" | "stallMs">,
    { onProgress, signal }: Uploading,
  ): Promise<UploadAnswer> {
    return this.#withToken((token) =>
      this.relay.answerOf<UploadAnswer>({}, signal, () =>
        this.#transport({
          ...request,
          url: this.relay.addressOf(path),
          headers: { ...this.relay.headersFor(token), ...request.headers },
          onProgress: onProgress ?? (() => {}),
          signal,
        }),
      ),
    );
  }

  async #call<Answer extends object>(call: RelayCall, success: Success<Answer>): Promise<Answer> {
    return this.#withToken((token) => this.relay.call<Answer>({ ...call, token }, success));
  }

  async #withToken<Answer>(
    act: (token: string) => Promise<Answer>,
    isUnpairing = false,
  ): Promise<Answer> {
    const token = await this.token();
    try {
      const answer = await act(token);
      void this.withdrawals.deliver();
      return answer;
    } catch (error) {
      if (isPairingOver(error)) await this.#end(token, isUnpairing);
      throw error;
    }
  }

  async #end(token: string, isUnpaired: boolean): Promise<void> {
    await this.#onEnded(token, isUnpaired);
    await this.#tokens.forget(token);
  }
}

/** True once the relay has the whole package. */
export function isCommitted({ status }: Pick<StatusAnswer, "status">): boolean {
  return status !== "uploading" && status !== "expired";
}

/** True if the relay refuses the call with this status. */
async function isRefusedWith(status: number, call: Promise<object>): Promise<boolean> {
  try {
    await call;
    return false;
  } catch (error) {
    if (error instanceof ClientError && error.status === status) return true;
    throw error;
  }
}

function pathOf(packageId: string): string {
  return `/packages/${encodeURIComponent(packageId)}`;
}

/** The request headers of `HEAD`. */
const STATE_HEADERS: Readonly<Record<string, string>> = {
  [UPLOAD_HEADERS.interop]: String(UPLOAD_INTEROP_VERSION),
};

/** Returns the request headers of an append. */
function appendHeaders(offset: number, isLast: boolean): Readonly<Record<string, string>> {
  return {
    ...STATE_HEADERS,
    "Content-Type": PARTIAL_UPLOAD_TYPE,
    [UPLOAD_HEADERS.offset]: String(offset),
    [UPLOAD_HEADERS.complete]: formatUploadComplete(isLast),
  };
}

/** Reads the answer to `HEAD`; undefined from a relay that speaks another version, or none. */
function readUploadState(headers: Headers): UploadState | undefined {
  const valueOf = (name: string): string | undefined => headers.get(name) ?? undefined;
  const offset = parseUploadOffset(valueOf(UPLOAD_HEADERS.offset));
  const isComplete = parseUploadComplete(valueOf(UPLOAD_HEADERS.complete));
  return offset === undefined || isComplete === undefined ? undefined : { offset, isComplete };
}
