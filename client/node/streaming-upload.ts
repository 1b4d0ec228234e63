import type { UploadTransport } from "../upload-transport.ts";

/** An upload for Node that tells of progress as the pieces leave; it still announces its length. */
export function streamingUpload(fetch: typeof globalThis.fetch): UploadTransport {
  return async ({ url, headers, sound, onProgress, signal }) => {
    let sentBytes = 0;
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        sentBytes += piece.byteLength;
        onProgress(sentBytes);
        controller.enqueue(piece);
      },
    });
    return fetch(url, {
      method: "PUT",
      headers: { ...headers, "content-length": String(sound.size) },
      body: sound.stream().pipeThrough(counted),
      duplex: "half",
      redirect: "error",
      signal: signal ?? null,
    });
  };
}
