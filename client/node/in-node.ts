import { createHash } from "node:crypto";
import { openAsBlob } from "node:fs";
import { open } from "node:fs/promises";
import { basename } from "node:path";
import { formatUnreadable } from "../../core/text/format-unreadable.ts";
import { ClientError } from "../wire/client-error.ts";
import type { ClientSettings } from "../soundferry-client.ts";
import {
  STALL_MS,
  stallReason,
  startStallTimer,
  type UploadTransport,
} from "../wire/upload-transport.ts";

/** Settings for Node: uploads with progress, and Node's own SHA-256. Spread it into a client's settings. */
export const IN_NODE = {
  upload: streamingUpload((...request) => fetch(...request)),
  sha256: () => createHash("sha256"),
} satisfies Partial<ClientSettings>;

/**
 * Returns a transport for Node that reports progress as the pieces are sent and still sets `Content-Length`.
 * @param defaultStallMs time without progress after which an upload is aborted
 */
export function streamingUpload(
  fetch: typeof globalThis.fetch,
  defaultStallMs = STALL_MS,
): UploadTransport {
  return async ({ method, url, headers, sound, stallMs, onProgress, signal }) => {
    const stalled = new AbortController();
    const stall = startStallTimer(stallMs ?? defaultStallMs, () => stalled.abort(stallReason()));
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
        redirect: "manual",
        signal: signal === undefined ? stalled.signal : AbortSignal.any([signal, stalled.signal]),
      } as const;
      return await fetch(url, request);
    } finally {
      stall.end();
    }
  };
}

/**
 * Opens a file as a draft's source, with its own name. It is read while it is hashed and sent, and never held
 * whole; a file that has changed by then can't be sent.
 * @throws {ClientError} `SOUND_UNREADABLE` if it can't be opened and read
 */
export async function soundFile(path: string): Promise<File> {
  try {
    // A blob can't tell why it isn't read, such as a file that is only in the cloud.
    const file = await open(path);
    try {
      await file.read({ length: 1 });
    } finally {
      await file.close();
    }
    return new File([await openAsBlob(path)], basename(path));
  } catch (cause) {
    throw new ClientError(formatUnreadable(cause, path), { code: "SOUND_UNREADABLE", cause });
  }
}
