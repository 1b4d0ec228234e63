import type { HashWatch } from "../send/sound-bytes.ts";
import { type BrowserWorker, nextMessage, startWorker } from "./worker-port.ts";
import { WORKER_SCRIPT } from "./worker-script.ts";

/** A message from the Worker. */
export type FromWorker =
  | { readonly kind: "ready" | "failed" | "unreadable" }
  | { readonly kind: "hashed"; readonly hashedBytes: number }
  | { readonly kind: "done"; readonly sha256: string };

/** The outcome of hashing; `failed` if no Worker can hash. */
type WorkerOutcome = { readonly sha256: string } | "unreadable" | "failed";

/** Hashes in a Worker, one sound at a time. */
export class HashWorker {
  readonly #port: BrowserWorker<FromWorker>;

  constructor(port: BrowserWorker<FromWorker>) {
    this.#port = port;
  }

  /**
   * Returns the SHA-256 of a sound as lowercase hex.
   * @throws the reason of `signal` when that aborts; the Worker has then ended
   */
  async hash(sound: Blob, { onProgress, signal }: HashWatch): Promise<WorkerOutcome> {
    const port = this.#port;
    const isProgress = (message: FromWorker): boolean => {
      if (message.kind === "hashed") onProgress?.(message.hashedBytes);
      return message.kind === "hashed";
    };
    const message = nextMessage(port, isProgress, signal);
    port.postMessage(sound);
    const last = await message;
    if (last.kind === "done") return { sha256: last.sha256 };
    return last.kind === "unreadable" ? "unreadable" : "failed";
  }

  end(): void {
    this.#port.terminate();
  }
}

/**
 * Starts a Worker.
 * @param url address of its script; default: a Blob
 * @returns undefined if no Worker can run or hash here
 */
export async function startHashWorker(url?: string): Promise<HashWorker | undefined> {
  const port = await startWorker<FromWorker>(WORKER_SCRIPT, url);
  return port && new HashWorker(port);
}
