/** What the page's own server would not do, or that it can't be reached; the message is a sentence. */
export class SecretCallError extends Error {
  override readonly name = "SecretCallError";
  /** 0 where there was no answer. */
  readonly status: number;

  constructor(status: number, sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.status = status;
  }
}

export interface SecretCallsOptions {
  /** Base of the calls, such as `http://127.0.0.1:4701`; empty for the page's own origin. */
  readonly address: string;
  readonly secret: string;
  /** How sentences call the server, such as `The importer`. */
  readonly serverName: string;
}

interface CallTerms {
  readonly body?: object;
  readonly signal?: AbortSignal;
}

/** Calls to the program on this computer that serves the page, each with the secret of its start (rule N1). */
export class SecretCalls {
  readonly #options: SecretCallsOptions;

  constructor(options: SecretCallsOptions) {
    this.#options = options;
  }

  /**
   * Calls, and gives an answer that is not an error.
   * @throws {SecretCallError}
   */
  async call(method: string, path: string, { body, signal }: CallTerms = {}): Promise<Response> {
    const { address, secret, serverName } = this.#options;
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
    const answer = await fetch(address + path, request).catch((cause: unknown) => {
      throw new SecretCallError(0, `${serverName} can’t be reached.`, { cause });
    });
    if (answer.ok) return answer;
    const sentence = await sentenceIn(answer);
    throw new SecretCallError(
      answer.status,
      sentence ?? `${serverName} couldn’t do that (${answer.status}).`,
    );
  }

  /** The bytes of an answer that goes on until one side ends it. */
  async lines(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const { body } = await this.call("GET", path, { signal });
    if (body === null)
      throw new SecretCallError(0, `${this.#options.serverName} isn’t responding.`);
    return body;
  }

  /** A whole file; fails, before it is fetched, where it has more than `maxBytes`. */
  async sound(
    path: string,
    { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
  ): Promise<ArrayBuffer> {
    const answer = await this.call("GET", path, { signal });
    if (Number(answer.headers.get("content-length")) > maxBytes) {
      await answer.body?.cancel();
      throw new SecretCallError(answer.status, "This sound is too large to play here.");
    }
    return answer.arrayBuffer();
  }
}

async function sentenceIn(answer: Response): Promise<string | undefined> {
  try {
    const body: unknown = await answer.json();
    if (typeof body === "object" && body !== null && "error" in body) return String(body.error);
  } catch {
    // No JSON: the caller says it in its own words.
  }
  return undefined;
}
