/** One upload's request. */
export interface UploadRequest {
  /** Default: `PUT`. */
  readonly method?: "PUT" | "PATCH";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly sound: Blob;
  /** The upload is aborted after this long without progress; a transport has a default of its own. */
  readonly stallMs?: number;
  /** Called with the number of bytes sent so far; the last call has the full size. */
  readonly onProgress: (sentBytes: number) => void;
  readonly signal: AbortSignal | undefined;
}

/** Uploads one file to the relay; rejects like `fetch` when there is no answer. */
export type UploadTransport = (request: UploadRequest) => Promise<Response>;

/** Works wherever `fetch` does; reports progress only once the whole file is sent. */
export function fetchUpload(fetch: typeof globalThis.fetch): UploadTransport {
  return async ({ method, url, headers, sound, onProgress, signal }) => {
    const response = await fetch(url, {
      method: method ?? "PUT",
      headers: { ...headers },
      body: sound,
      redirect: "error",
      signal: signal ?? null,
    });
    if (response.ok) onProgress(sound.size);
    return response;
  };
}
