import { isWorkerPort, type WorkerPort } from "../../../../client/parts/worker-port.ts";
import type { FromWorker, ToWorker } from "./download-messages.ts";
import { prepareHash } from "./hash-in-worker.ts";
import { openPart } from "./open-part.ts";
import { formatLiveSetFile } from "./format-live-set-file.ts";
import { DownloadError, downloadSound } from "./download-sound.ts";

// The Worker that downloads sounds: a page of its own thread, because only Workers write private files without copies.

const STORAGE = { why: "storage" } as const;
/** Time between two messages about the bytes of a sound. */
const BYTES_EVERY_MS = 100;

const scope: object = globalThis;
if (isWorkerPort<FromWorker, ToWorker>(scope)) serve(scope);

function serve(port: WorkerPort<FromWorker, ToWorker>): void {
  const running = new Map<number, AbortController>();
  port.addEventListener("message", ({ data }) => {
    const { id } = data;
    if (data.kind === "cancel") return running.get(id)?.abort();
    const fail = (error: unknown): void => {
      const trouble = error instanceof DownloadError ? error.trouble : STORAGE;
      port.postMessage({ kind: "trouble", id, trouble });
    };
    if (data.kind === "live-set") {
      formatLiveSetFile(data).then(
        (file) => port.postMessage({ kind: "live-set", id, file }),
        fail,
      );
      return;
    }
    const ending = new AbortController();
    running.set(id, ending);
    let saidAt = 0;
    downloadSound(data, {
      signal: ending.signal,
      open: openPart,
      prepare: prepareHash,
      onBytes: (seenBytes) => {
        const now = performance.now();
        if (now - saidAt < BYTES_EVERY_MS && seenBytes < data.sound.bytes) return;
        saidAt = now;
        port.postMessage({ kind: "bytes", id, seenBytes });
      },
    })
      .then((downloaded) => port.postMessage({ kind: "done", id, downloaded }), fail)
      .finally(() => running.delete(id));
  });
  port.postMessage({ kind: "ready" });
}
