import { QUIET_MS, quietReason, QuietTimer } from "../quiet-timer.ts";
import type { UploadTransport } from "../upload-transport.ts";

/**
 * An upload for Node that reports progress as the pieces are sent and still sets `Content-Length`.
 * @param quietMs the upload is aborted after this long without progress
 */
export function streamingUpload(
  fetch: typeof globalThis.fetch,
  quietMs = QUIET_MS,
): UploadTransport {
  return async ({ url, headers, sound, onProgress, signal }) => {
    const stalled = new AbortController();
    const quiet = new QuietTimer(quietMs, () => stalled.abort(quietReason()));
    let sentBytes = 0;
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        quiet.moved();
        sentBytes += piece.byteLength;
        onProgress(sentBytes);
        controller.enqueue(piece);
      },
    });
    try {
      return await fetch(url, {
        method: "PUT",
        headers: { ...headers, "content-length": String(sound.size) },
        body: sound.stream().pipeThrough(counted),
        duplex: "half",
        redirect: "error",
        signal: signal === undefined ? stalled.signal : AbortSignal.any([signal, stalled.signal]),
      });
    } finally {
      quiet.end();
    }
  };
}
