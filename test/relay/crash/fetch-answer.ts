/** An answer with its body as bytes. */
export interface Answer {
  readonly status: number;
  readonly body: Buffer;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test looks into answers of every shape
  readonly json: any;
  /** The header, as it came. */
  readonly retryAfter: string | undefined;
}

export interface CallOptions {
  readonly token?: string;
  readonly body?: object;
  readonly headers?: Record<string, string>;
}

/** One call. @throws if the whole answer doesn't come */
export async function fetchAnswer(
  url: string,
  {
    method,
    token,
    body,
    headers = {},
    signal,
  }: CallOptions & { method: string; signal?: AbortSignal },
): Promise<Answer> {
  const answer = await fetch(url, {
    method,
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
    ...(body !== undefined && {
      body: body instanceof Uint8Array ? body : JSON.stringify(body),
    }),
    ...(signal !== undefined && { signal }),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const isJson = answer.headers.get("content-type")?.startsWith("application/json") === true;
  return {
    status: answer.status,
    body: bytes,
    json: isJson ? JSON.parse(String(bytes)) : undefined,
    retryAfter: answer.headers.get("retry-after") ?? undefined,
  };
}
