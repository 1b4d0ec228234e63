import type { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import { connect as connectSocket, type Socket } from "node:net";
import { isJsonObject, type JsonObject } from "../../../../core/text/json-object.ts";
import { parseJson } from "../../../../core/text/parse-json.ts";
import { VERSION } from "../../../../core/version.ts";
import { REAL_TIMERS, type Timers } from "../../../timers.ts";
import { SurfaceError, UnreachableError } from "./control-surface-error.ts";
import type { LiveVersion } from "./live-version.ts";
import { LineReader, lineKeys, LineSigner, MAX_LINE_BYTES } from "./signed-lines.ts";

export const PROTOCOL = 1;
const SERVICE = "soundferry-control-surface";

export interface ConnectOptions {
  readonly port: number;
  /** The secret of 64 hexadecimal digits. */
  readonly secret: string;
  /** Absolute folders, without links, below which sound files may be opened. */
  readonly folders: readonly string[];
  /** The time that the login may take. Live doesn't answer while one of its menus is open. */
  readonly patienceMs: number;
  readonly signal?: AbortSignal;
  readonly timers?: Timers;
}

/** The control surface's description of itself and its Live. */
export interface Welcome extends LiveVersion {
  /** The control surface's version. */
  readonly version: string;
  /** True if this Live has the call that makes a clip of a file. */
  readonly makesClips: boolean;
}

interface Pending {
  readonly resolve: (answer: JsonObject) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: (progress: JsonObject) => void;
}

/**
 * Connects to the control surface, and has both sides prove that they know the secret (docs/use/live.md).
 * @throws {UnreachableError} `silent` or `version`
 * @throws {unknown} the signal's reason
 */
export async function connectToSurface(options: ConnectOptions): Promise<SurfaceClient> {
  options.signal?.throwIfAborted();
  const socket = connectSocket({ host: "127.0.0.1", port: options.port });
  socket.setNoDelay(true);
  const client = new SurfaceClient(socket, options);
  const stop = (error: unknown) => client.close(error);
  const late = () =>
    stop(new UnreachableError("silent", "Live didn't answer. Close its open menus and dialogs."));
  const cancelTimer = (options.timers ?? REAL_TIMERS).after(options.patienceMs, late);
  const abort = () => stop(options.signal?.reason);
  options.signal?.addEventListener("abort", abort, { once: true });
  try {
    await client.welcomed;
    return client;
  } finally {
    cancelTimer();
    options.signal?.removeEventListener("abort", abort);
  }
}

/** A connection to the control surface. A request has no deadline: Live may have a menu open for minutes. */
export class SurfaceClient {
  /** The login, which rejects with the errors of `connectToSurface`. */
  readonly welcomed: Promise<Welcome>;
  readonly #socket: Socket;
  readonly #options: ConnectOptions;
  readonly #lines = new LineReader();
  readonly #pending = new Map<number, Pending>();
  readonly #welcome = Promise.withResolvers<Welcome>();
  #signers: { readonly ours: LineSigner; readonly theirs: LineSigner } | undefined;
  #said: Welcome | undefined;
  #requests = 0;
  #end: { readonly error: unknown } | undefined;

  constructor(socket: Socket, options: ConnectOptions) {
    this.#socket = socket;
    this.#options = options;
    this.welcomed = this.#welcome.promise;
    this.welcomed.catch(() => undefined);
    socket.on("data", (bytes: Buffer) => this.#takeBytes(bytes));
    socket.on("error", (cause) => this.close(this.#lost(cause)));
    socket.on("close", () => this.close(this.#lost()));
  }

  get isOpen(): boolean {
    return this.#end === undefined && this.#said !== undefined;
  }

  /** The control surface's description. @throws {RangeError} before the login */
  get welcome(): Welcome {
    if (this.#said === undefined) throw new RangeError("Nobody has logged in yet.");
    return this.#said;
  }

  /** The secret of this start of the control surface, which makes a new one at each start. */
  get secret(): string {
    return this.#options.secret;
  }

  /**
   * Sends a request and returns its answer, with `more` where the control surface says that more answers will come.
   * @throws {SurfaceError} when the control surface answers with an error
   * @throws {UnreachableError} `lost`; the control surface may or may not have received the request
   */
  request(
    call: string,
    body: object = {},
    onProgress: (progress: JsonObject) => void = () => undefined,
  ): Promise<JsonObject> {
    const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
    if (this.#end !== undefined) return Promise.reject(this.#lost());
    this.#requests += 1;
    const id = this.#requests;
    const line = this.#sign({ ...body, id, call });
    if (line.length > MAX_LINE_BYTES.afterLogin) {
      return Promise.reject(new RangeError(`The request ${call} is too long.`));
    }
    this.#pending.set(id, { resolve, reject, onProgress });
    this.#socket.ref();
    this.#socket.write(line);
    return promise;
  }

  /** Closes the connection; open requests fail. */
  close(error: unknown = this.#lost()): void {
    if (this.#end !== undefined) return;
    this.#end = { error };
    this.#socket.destroy();
    this.#welcome.reject(error);
    for (const { reject } of this.#pending.values()) reject(this.#lost(error));
    this.#pending.clear();
  }

  #takeBytes(bytes: Buffer): void {
    try {
      for (const line of this.#lines.read(bytes)) {
        if (this.#end !== undefined) return;
        this.#takeLine(line);
      }
    } catch (cause) {
      this.close(this.#lost(cause));
    }
  }

  #takeLine(line: Buffer): void {
    if (this.#signers === undefined) {
      this.#logIn(parseJson(line.toString("utf8")));
      return;
    }
    const json = this.#signers.theirs.open(line);
    const message = json === undefined ? undefined : parseJson(json);
    if (!isJsonObject(message)) {
      this.close(this.#lost());
    } else if (this.#said === undefined) {
      this.#beWelcomed(message);
    } else {
      this.#takeAnswer(message);
    }
  }

  #logIn(hello: unknown): void {
    const nonce = isJsonObject(hello) && hello["hello"] === SERVICE ? hello["nonce"] : undefined;
    if (!isJsonObject(hello) || typeof nonce !== "string") {
      this.close(this.#lost());
      return;
    }
    if (hello["protocol"] !== PROTOCOL || hello["version"] !== VERSION) {
      this.close(wrongVersion(hello["version"]));
      return;
    }
    const ownNonce = randomBytes(16).toString("hex");
    const keys = lineKeys(this.#options.secret, nonce, ownNonce);
    this.#signers = { ours: new LineSigner(keys.client), theirs: new LineSigner(keys.server) };
    const login = { protocol: PROTOCOL, nonce: ownNonce, folders: this.#options.folders };
    this.#socket.write(this.#sign({ login }));
  }

  #beWelcomed({ welcome }: JsonObject): void {
    if (!isJsonObject(welcome)) {
      this.close(this.#lost());
      return;
    }
    const { live, edition, version, can } = welcome;
    this.#said = {
      live: String(live),
      edition: typeof edition === "string" ? edition : null,
      version: String(version),
      makesClips: isJsonObject(can) && can["create_audio_clip"] === true,
    };
    this.#lines.allowLong();
    // An idle connection must not keep a command running.
    this.#socket.unref();
    this.#welcome.resolve(this.#said);
  }

  #takeAnswer({ id, progress, ok, more, error }: JsonObject): void {
    const pending = typeof id === "number" ? this.#pending.get(id) : undefined;
    if (pending === undefined || typeof id !== "number") return;
    if (isJsonObject(progress)) {
      pending.onProgress(progress);
      return;
    }
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#socket.unref();
    if (isJsonObject(ok)) pending.resolve(more === undefined ? ok : { ...ok, more });
    else pending.reject(surfaceError(error));
  }

  #sign(message: object): Buffer {
    if (this.#signers === undefined) throw new RangeError("Nobody has logged in yet.");
    return this.#signers.ours.sign(JSON.stringify(message));
  }

  /** Returns the error of a lost connection. Before the login, the other side may not be the control surface. */
  #lost(cause?: unknown): UnreachableError {
    if (cause instanceof UnreachableError) return cause;
    return this.#said === undefined
      ? new UnreachableError("silent", "Live doesn't answer.", { cause })
      : new UnreachableError("lost", "The connection to Live was lost.", { cause });
  }
}

function wrongVersion(version: unknown): UnreachableError {
  const runs = typeof version === "string" ? `version ${version}` : "another version";
  return new UnreachableError(
    "version",
    `Live runs ${runs} of the Soundferry control surface, and this is ${VERSION}. ` +
      "Run `soundferry live install`, then restart Live.",
  );
}

function surfaceError(error: unknown): SurfaceError {
  if (!isJsonObject(error)) return new SurfaceError("request", "The answer makes no sense.");
  const { code, message, what, count, stays, step } = error;
  const isLimit = typeof what === "string" && typeof count === "number";
  return new SurfaceError(String(code), typeof message === "string" ? message : "", {
    limit: isLimit ? { what, count } : undefined,
    stays: Array.isArray(stays) ? stays.map(String) : [],
    step: typeof step === "string" ? step : undefined,
  });
}
