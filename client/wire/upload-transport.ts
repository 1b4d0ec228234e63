import { targetOf } from "./local-network.ts";

/** One upload's request. */
export interface UploadRequest {
  /** Default: `PUT`. */
  readonly method?: "PUT" | "PATCH";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly sound: Blob;
  /** Time without progress after which the upload is aborted. Default: the transport's own. */
  readonly stallMs?: number;
  /** Called with the number of bytes sent so far; the last call has the full size. */
  readonly onProgress: (sentBytes: number) => void;
  readonly signal: AbortSignal | undefined;
}

/** Uploads one file to the relay; rejects like `fetch` when there is no answer. */
export type UploadTransport = (request: UploadRequest) => Promise<Response>;

/** Returns a transport that works wherever `fetch` does, but reports progress only once the whole file is sent. */
export function fetchUpload(fetch: typeof globalThis.fetch): UploadTransport {
  return async ({ method, url, headers, sound, onProgress, signal }) => {
    const timeout = AbortSignal.timeout(STALL_MS + Math.ceil(sound.size / SLOWEST_BYTES_PER_MS));
    const response = await fetch(url, {
      method: method ?? "PUT",
      headers: { ...headers },
      body: sound,
      redirect: "manual",
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      ...targetOf(url),
    });
    if (response.ok) onProgress(sound.size);
    return response;
  };
}

/** The slowest upload without known progress that isn't aborted. */
const SLOWEST_BYTES_PER_MS = 16;

/** Time without progress after which an upload is aborted. */
export const STALL_MS = 120_000;

/** Shorter limit for an append: another attempt costs little, and the connection may be half open. */
export const APPEND_STALL_MS = 30_000;

const HURRY_MS = 3000;

/** Returns the abort reason of an upload that stalled. */
export function stallReason(): DOMException {
  return new DOMException("Nothing moves.", "TimeoutError");
}

/** Calls `act` once `moved` has not been called for `stallMs`; never after `end`. */
export function startStallTimer(stallMs: number, act: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restart = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(act, ms);
  };
  restart(stallMs);
  return {
    moved: (): void => restart(stallMs),
    /** Shortens the limit until the next progress, because the network has changed. */
    hurry: (): void => restart(HURRY_MS),
    end: (): void => clearTimeout(timer),
  };
}
