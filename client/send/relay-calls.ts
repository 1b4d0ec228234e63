import { PACKAGE_STATUSES, type PackageStatus } from "../../core/protocol/package-status.ts";
import type {
  AnnounceAnswer,
  MeAnswer,
  OwnPackagesAnswer,
  StatusAnswer,
  UploadAnswer,
} from "../../core/protocol/public-api.ts";
import type { JsonObject } from "../../core/text/json-object.ts";
import { memoryWithdrawals, type TokenStore } from "../pairing/token-store.ts";
import { isPairingOver } from "../wire/answer-error.ts";
import { ClientError } from "../wire/client-error.ts";
import type { RelayCall, RelayHttp, Success } from "../wire/relay-http.ts";
import type { UploadRequest, UploadTransport } from "../wire/upload-transport.ts";
import { Withdrawals } from "./withdrawals.ts";

/** Short, because a relay answers a withdrawal at once; otherwise it is tried again later. */
const WITHDRAW_TIMEOUT_MS = 5000;

export interface Stoppable {
  readonly signal?: AbortSignal | undefined;
}

/** Options of `list`. */
export interface ListOptions extends Stoppable {
  /** Default: every status. */
  readonly status?: PackageStatus | readonly PackageStatus[];
  /** The `next` of the page before. */
  readonly after?: string | undefined;
}

/** Answers of a server that doesn't know a call. */
const UNSUPPORTED = new Set<number | undefined>([404, 405, 501]);

export interface Uploading extends Stoppable {
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
    return this.sendBytes(path, { sound, headers: { "Content-Type": "audio/wav" } }, options);
  }

  /** Uploads bytes. */
  async sendBytes(
    path: string,
    request: Pick<UploadRequest, "method" | "sound" | "headers" | "stallMs">,
    { onProgress, signal }: Uploading,
  ): Promise<UploadAnswer> {
    return this.#withToken((token) =>
      this.relay.answerOf<UploadAnswer>({}, signal, () =>
        this.#transport({
          ...request,
          url: this.relay.addressOf(path),
          headers: this.relay.headersFor(token, request.headers),
          onProgress: onProgress ?? (() => {}),
          signal,
        }),
      ),
    );
  }

  /** Makes a call whose answer is in its headers. */
  async headersOf(call: RelayCall): Promise<Headers> {
    return this.#withToken((token) => this.relay.headersOf({ ...call, token }));
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
    const query = { wait: waitSeconds > 0 ? String(waitSeconds) : "", known };
    const path = withQuery(`${pathOf(packageId)}/status`, query);
    const timeoutMs = 30_000 + waitSeconds * 1000;
    const shape = { status: PACKAGE_STATUSES };
    return this.#call<StatusAnswer>({ method: "GET", path, signal, timeoutMs }, { shape });
  }

  /** Lists one page of the app's own packages (rule S7). */
  async list({ status = [], after, signal }: ListOptions): Promise<OwnPackagesAnswer> {
    const path = withQuery("/packages", { status: String(status), after });
    const call = { method: "GET", path, signal } as const;
    try {
      return await this.#call<OwnPackagesAnswer>(call, { shape: { packages: "object" } });
    } catch (error) {
      if (this.relay.history.isMarked || !(error instanceof ClientError)) throw error;
      if (!UNSUPPORTED.has(error.status ?? error.foreignStatus)) throw error;
      await this.me({ signal });
      const sentence = "This relay can't list packages.";
      throw error.with(sentence, { code: "LIST_UNSUPPORTED" });
    }
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

/** Adds a query to a path, without what is undefined or empty. */
function withQuery(path: string, members: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) {
    if (value) query.set(name, value);
  }
  return query.size > 0 ? `${path}?${query.toString()}` : path;
}
