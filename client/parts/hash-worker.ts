import type { HashWatch } from "../send/sound-bytes.ts";
import { WORKER_SCRIPT } from "./worker-script.ts";

/** A message from the Worker. */
export type FromWorker =
  | { readonly kind: "ready" | "failed" | "unreadable" }
  | { readonly kind: "hashed"; readonly hashedBytes: number }
  | { readonly kind: "done"; readonly sha256: string };

/** The part of a browser's Worker used here. */
interface BrowserWorker {
  addEventListener(
    type: "message",
    listener: (event: { readonly data: FromWorker }) => void,
    options: { readonly signal: AbortSignal },
  ): void;
  addEventListener(
    type: "error",
    listener: (event: { preventDefault(): void }) => void,
    options: { readonly signal: AbortSignal },
  ): void;
  postMessage(sound: Blob): void;
  terminate(): void;
}

/** Time limit for the Worker's first message, which never comes if a content policy blocks the Worker. */
const START_LIMIT_MS = 10_000;

/** The outcome of hashing; `failed` if no Worker can hash. */
type WorkerOutcome = { readonly sha256: string } | "unreadable" | "failed";

/** Hashes in a Worker, one sound at a time. */
export class HashWorker {
  readonly #port: BrowserWorker;

  constructor(port: BrowserWorker) {
    this.#port = port;
  }

  /**
   * Returns the SHA-256 of a sound as lowercase hex.
   * @throws the reason of `signal` when that aborts; the Worker has then ended
   */
  async hash(sound: Blob, { onProgress, signal }: HashWatch): Promise<WorkerOutcome> {
    const port = this.#port;
    const message = nextMessage(port, (hashedBytes) => onProgress?.(hashedBytes), signal);
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
  const port = openWorker(url ?? scriptUrl());
  if (port === undefined) return undefined;
  const tooLate = AbortSignal.timeout(START_LIMIT_MS);
  const first = await nextMessage(port, () => {}, tooLate).catch(() => undefined);
  return first?.kind === "ready" ? new HashWorker(port) : undefined;
}

/** Waits for the next message that isn't progress. Ends the Worker when the signal aborts or it has failed. */
function nextMessage(
  port: BrowserWorker,
  onProgress: (hashedBytes: number) => void,
  signal: AbortSignal | undefined,
): Promise<Exclude<FromWorker, { kind: "hashed" }>> {
  const over = new AbortController();
  const listening = { signal: over.signal };
  return new Promise<Exclude<FromWorker, { kind: "hashed" }>>((resolve, reject) => {
    const fail = (): void => {
      port.terminate();
      resolve({ kind: "failed" });
    };
    const stop = (): void => {
      port.terminate();
      reject(signal?.reason);
    };
    port.addEventListener(
      "message",
      ({ data }) => {
        if (data.kind === "hashed") onProgress(data.hashedBytes);
        else if (data.kind === "failed") fail();
        else resolve(data);
      },
      listening,
    );
    port.addEventListener(
      "error",
      (event) => {
        event.preventDefault();
        fail();
      },
      listening,
    );
    if (signal?.aborted === true) stop();
    else signal?.addEventListener("abort", stop, listening);
  }).finally(() => over.abort());
}

function scriptUrl(): string | undefined {
  if (WORKER_SCRIPT === undefined) return undefined;
  return URL.createObjectURL(new Blob([WORKER_SCRIPT], { type: "text/javascript" }));
}

function openWorker(url: string | undefined): BrowserWorker | undefined {
  const Worker: unknown = Reflect.get(globalThis, "Worker");
  if (url === undefined || !isWorkerClass(Worker)) return undefined;
  try {
    return new Worker(url, { type: "module" });
  } catch {
    return undefined;
  }
}

/** Trusts that anything with this global name is the browser's own. */
function isWorkerClass(
  found: unknown,
): found is new (url: string, options: { readonly type: "module" }) => BrowserWorker {
  return typeof found === "function";
}
