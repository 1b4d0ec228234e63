import { STALL_MS, stallReason, StallTimer } from "../wire/stall-timer.ts";
import type { UploadTransport } from "../wire/upload-transport.ts";

/**
 * An upload for Node that reports progress as the pieces are sent and still sets `Content-Length`.
 * @param defaultStallMs the upload is aborted after this long without progress
 */
export function streamingUpload(
  fetch: typeof globalThis.fetch,
  defaultStallMs = STALL_MS,
): UploadTransport {
  return async ({ method, url, headers, sound, stallMs, onProgress, signal }) => {
    const stalled = new AbortController();
    const stall = new StallTimer(stallMs ?? defaultStallMs, () => stalled.abort(stallReason()));
    let sentBytes = 0;
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        stall.moved();
        sentBytes += piece.byteLength;
        onProgress(sentBytes);
        controller.enqueue(piece);
      },
    });
    try {
      // Named, because a browser's types know no `duplex`.
      const request = {
        method: method ?? "PUT",
        headers: { ...headers, "content-length": String(sound.size) },
        body: sound.stream().pipeThrough(counted),
        duplex: "half",
        redirect: "error",
        signal: signal === undefined ? stalled.signal : AbortSignal.any([signal, stalled.signal]),
      } as const;
      return await fetch(url, request);
    } finally {
      stall.end();
    }
  };
}
