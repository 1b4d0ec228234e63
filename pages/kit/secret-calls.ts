import { PLAY_BYTES } from "../../core/audio/sound-limits.ts";

/** An error from the page's own server, or one that can't be reached; the message is a sentence to show. */
export class SecretCallError extends Error {
  override readonly name = "SecretCallError";
  /** HTTP status; 0 if there was no answer. */
  readonly status: number;

  constructor(status: number, sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.status = status;
  }
}

interface SecretCallsOptions {
  /** Base of the calls, such as `http://127.0.0.1:4701`; empty for the page's own origin. */
  readonly address: string;
  readonly secret: string;
  /** The server's name in sentences, such as `Soundferry`. */
  readonly serverName: string;
  /** Translates a sentence of the server; as it is by default. */
  readonly explain?: (sentence: string) => string;
}

interface CallOptions {
  /** Parameters that the path names as `:name` fill it; the others are the JSON body. */
  readonly params?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
}

/** Calls to the local program that serves the page. Each carries the secret of its start (rule N1). */
export class SecretCalls {
  readonly #options: SecretCallsOptions;

  constructor(options: SecretCallsOptions) {
    this.#options = options;
  }

  /** Makes a call and returns its answer, unless that is an error. @throws {SecretCallError} */
  async call(
    method: string,
    path: string,
    { params = {}, signal }: CallOptions = {},
  ): Promise<Response> {
    const { address, secret, serverName, explain = (as) => as } = this.#options;
    const { filled, body } = fillPath(path, params);
    const request: RequestInit = {
      method,
      headers: {
        "x-soundferry-secret": secret,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
      cache: "no-store",
    };
    const answer = await fetch(address + filled, request).catch((cause: unknown) => {
      throw new SecretCallError(0, `${serverName} can’t be reached.`, { cause });
    });
    if (answer.ok) return answer;
    const sentence = await sentenceIn(answer);
    throw new SecretCallError(
      answer.status,
      sentence === undefined
        ? `${serverName} couldn’t do that (${answer.status}).`
        : explain(sentence),
    );
  }

  /** Opens an answer that continues until one side ends it. */
  async lines(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const { body } = await this.call("GET", path, { signal });
    if (body === null)
      throw new SecretCallError(0, `${this.#options.serverName} isn’t responding.`);
    return body;
  }

  /** Fetches a sound's file; rejects before the download if it is too large to play. */
  async sound(
    path: string,
    params: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Blob> {
    const answer = await this.call("GET", path, { params, signal });
    if (Number(answer.headers.get("content-length")) > PLAY_BYTES) {
      await answer.body?.cancel();
      throw new SecretCallError(answer.status, "This sound is too large to play here.");
    }
    return answer.blob();
  }
}

function fillPath(path: string, params: Readonly<Record<string, unknown>>) {
  const rest = new Map(Object.entries(params));
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(rest.get(name));
    rest.delete(name);
    return encodeURIComponent(value);
  });
  return { filled, body: rest.size === 0 ? undefined : Object.fromEntries(rest) };
}

async function sentenceIn(answer: Response): Promise<string | undefined> {
  try {
    const body: unknown = await answer.json();
    if (typeof body === "object" && body !== null && "error" in body) return String(body.error);
  } catch {
    // Not JSON: the caller has its own message for that.
  }
  return undefined;
}

/**
 * A page's connection to the program that serves it: `looking` until the first answer, then `live` or `lost`
 * (it retries), or `refused` for good: the page's secret is from an earlier start.
 */
export type Link = "looking" | "live" | "lost" | "refused";
