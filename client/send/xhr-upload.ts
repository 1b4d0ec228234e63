import { readPiece } from "./sound-bytes.ts";
import { needsTarget } from "../wire/local-network.ts";
import { MAX_ANSWER_BYTES } from "../wire/read-answer.ts";
import { onNetworkChange } from "../wire/retry.ts";
import {
  fetchUpload,
  STALL_MS,
  stallReason,
  startStallTimer,
  type UploadRequest,
  type UploadTransport,
} from "../wire/upload-transport.ts";

/** The part of a browser's XMLHttpRequest used here. */
interface Xhr {
  readonly upload: {
    addEventListener(
      type: "progress",
      listener: (event: { readonly loaded: number }) => void,
    ): void;
  };
  readonly status: number;
  readonly responseText: string;
  /** The URL of the answer, after redirects. */
  readonly responseURL: string;
  addEventListener(
    type: "load" | "progress" | "error" | "abort" | "loadend",
    listener: (event: { readonly loaded: number }) => void,
  ): void;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: Blob): void;
  abort(): void;
}

/** Chooses the transport that reports the most progress: XMLHttpRequest in browsers, `fetch` elsewhere. */
export function defaultUpload(fetch: typeof globalThis.fetch): UploadTransport {
  const Xhr: unknown = Reflect.get(globalThis, "XMLHttpRequest");
  const byFetch = fetchUpload(fetch);
  if (!isXhr(Xhr)) return byFetch;
  const byXhr = xhrUpload(Xhr);
  return (request) => (needsTarget(request.url) ? byFetch : byXhr)(request);
}

/** Trusts that anything with this global name is the browser's own. */
function isXhr(found: unknown): found is new () => Xhr {
  return typeof found === "function";
}

/** Returns a transport that reports progress as the bytes are sent. Aborts after two minutes without progress. */
function xhrUpload(Xhr: new () => Xhr): UploadTransport {
  return async (request) => {
    try {
      return await transfer(new Xhr(), request);
    } catch (error) {
      // A changed or removed file looks like a network error too, but reading it fails.
      if (request.signal?.aborted !== true) await readPiece(request.sound, 0, 1);
      throw error;
    }
  };
}

function transfer(
  xhr: Xhr,
  { method = "PUT", url, headers, sound, stallMs = STALL_MS, onProgress, signal }: UploadRequest,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => xhr.abort();
    const stall = startStallTimer(stallMs, () => {
      reject(stallReason());
      stop();
    });
    signal?.addEventListener("abort", stop);
    const ended = new AbortController();
    if (method === "PATCH") onNetworkChange(() => stall.hurry(), ended.signal);
    xhr.upload.addEventListener("progress", ({ loaded }) => {
      stall.moved();
      onProgress(loaded);
    });
    const answered = (): void => resolve(responseOf(xhr, url));
    xhr.addEventListener("load", answered);
    xhr.addEventListener("progress", ({ loaded }) => {
      if (loaded <= MAX_ANSWER_BYTES) return;
      answered();
      stop();
    });
    xhr.addEventListener("error", () => reject(new TypeError("network error")));
    xhr.addEventListener("abort", () => reject(signal?.reason));
    xhr.addEventListener("loadend", () => {
      stall.end();
      ended.abort();
      signal?.removeEventListener("abort", stop);
    });
    xhr.open(method, url);
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.send(sound);
  });
}

const HEADER = /^([^:\r\n]+): ?(.*)$/gm;

function responseOf(xhr: Xhr, url: string): Response {
  if (xhr.responseURL !== new URL(url).href) return new Response(null, { status: 302 });
  const headers = new Headers();
  for (const [, name = "", value = ""] of xhr.getAllResponseHeaders().matchAll(HEADER)) {
    headers.append(name, value);
  }
  // An answer such as 204 must not have a body, not even an empty one.
  return new Response(xhr.responseText || null, { status: xhr.status, headers });
}
