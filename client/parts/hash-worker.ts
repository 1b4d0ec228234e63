import type { HashWatch } from "../hash-in-pieces.ts";
import { WORKER_SCRIPT } from "./worker-script.ts";

/** What the Worker says. */
export type FromWorker =
  | { readonly kind: "ready" | "failed" | "unreadable" }
  | { readonly kind: "hashed"; readonly hashedBytes: number }
  | { readonly kind: "done"; readonly sha256: string };

/** The part of a browser's Worker used here. */
interface BrowserWorker {
  onmessage: ((event: { readonly data: FromWorker }) => void) | null;
  onerror: ((event: { preventDefault(): void }) => void) | null;
  postMessage(sound: Blob): void;
  terminate(): void;
}

/** A content policy may make that no answer ever comes. */
const START_LIMIT_MS = 10_000;

/** What became of hashing: `failed` says that no Worker can do it. */
export type WorkerOutcome = { readonly sha256: string } | "unreadable" | "failed";

/** Hashes in a Worker, one sound at a time. */
export class HashWorker {
  readonly #worker: BrowserWorker;

  constructor(worker: BrowserWorker) {
    this.#worker = worker;
  }

  /**
   * The SHA-256 of a sound as lowercase hex.
   * @throws the reason of `signal` when that aborts; the Worker has then ended
   */
  hash(sound: Blob, { onProgress, signal }: HashWatch): Promise<WorkerOutcome> {
    const worker = this.#worker;
    return new Promise<WorkerOutcome>((resolve, reject) => {
      const stop = (): void => {
        worker.terminate();
        reject(signal?.reason);
      };
      const end = (outcome: WorkerOutcome): void => {
        signal?.removeEventListener("abort", stop);
        resolve(outcome);
      };
      signal?.addEventListener("abort", stop, { once: true });
      worker.onerror = () => end("failed");
      worker.onmessage = ({ data }) => {
        if (data.kind === "hashed") onProgress?.(data.hashedBytes);
        else if (data.kind === "done") end({ sha256: data.sha256 });
        else end(data.kind === "unreadable" ? "unreadable" : "failed");
      };
      worker.postMessage(sound);
    });
  }

  end(): void {
    this.#worker.terminate();
  }
}

/**
 * Starts a Worker.
 * @param url of its script; default: a Blob
 * @returns undefined where none may run, or none that hashes
 */
export async function startHashWorker(url?: string): Promise<HashWorker | undefined> {
  const worker = openWorker(url);
  if (worker === undefined) return undefined;
  const isReady = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), START_LIMIT_MS);
    const settle = (ready: boolean): void => {
      clearTimeout(timer);
      resolve(ready);
    };
    worker.onmessage = ({ data }) => settle(data.kind === "ready");
    worker.onerror = (event) => {
      event.preventDefault();
      settle(false);
    };
  });
  if (isReady) return new HashWorker(worker);
  worker.terminate();
  return undefined;
}

function openWorker(url: string | undefined): BrowserWorker | undefined {
  const Worker = Reflect.get(globalThis, "Worker") as new (
    url: string,
    options: { readonly type: "module" },
  ) => BrowserWorker;
  const own =
    url === undefined && WORKER_SCRIPT !== undefined
      ? URL.createObjectURL(new Blob([WORKER_SCRIPT], { type: "text/javascript" }))
      : undefined;
  const address = url ?? own;
  if (address === undefined) return undefined;
  try {
    return new Worker(address, { type: "module" });
  } catch {
    return undefined;
  }
}
