/** One upload's request, ready to go. */
export interface UploadRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly sound: Blob;
  /** Told how many bytes have left so far; the last call says all of them. */
  readonly onProgress: (sentBytes: number) => void;
  readonly signal: AbortSignal | undefined;
}

/** Carries one file to the relay; rejects like `fetch` when no answer comes. */
export type UploadTransport = (request: UploadRequest) => Promise<Response>;

/** Works everywhere that has `fetch`; tells of progress only once the whole file is there. */
export function fetchUpload(fetch: typeof globalThis.fetch): UploadTransport {
  return async ({ url, headers, sound, onProgress, signal }) => {
    const response = await fetch(url, {
      method: "PUT",
      headers: { ...headers },
      body: sound,
      redirect: "error",
      signal: signal ?? null,
    });
    if (response.ok) onProgress(sound.size);
    return response;
  };
}
