/** A message from one of the client's Workers. */
interface WorkerMessage {
  readonly kind: string;
}

/** The part of a browser's Worker used here. */
export interface BrowserWorker<Message extends WorkerMessage> {
  addEventListener(
    type: "message",
    listener: (event: { readonly data: Message }) => void,
    options: { readonly signal: AbortSignal },
  ): void;
  addEventListener(
    type: "error",
    listener: (event: { preventDefault(): void }) => void,
    options: { readonly signal: AbortSignal },
  ): void;
  postMessage(message: unknown): void;
  terminate(): void;
}

/** Time limit for the Worker's first message, which never comes if a content policy blocks the Worker. */
const START_LIMIT_MS = 10_000;

/** The message of a Worker that failed. */
interface Failed {
  readonly kind: "failed";
}

/**
 * Starts a Worker, and waits until it says that it is ready.
 * @param url address of its script; default: a Blob of `script`
 * @returns undefined if no Worker can run here
 */
export async function startWorker<Message extends WorkerMessage>(
  script: string | undefined,
  url?: string,
): Promise<BrowserWorker<Message> | undefined> {
  const ownUrl = url === undefined ? scriptUrl(script) : undefined;
  const port = openWorker<Message>(url ?? ownUrl);
  const tooLate = AbortSignal.timeout(START_LIMIT_MS);
  const first = port && (await nextMessage(port, () => false, tooLate).catch(() => undefined));
  if (ownUrl !== undefined) URL.revokeObjectURL(ownUrl);
  return first?.kind === "ready" ? port : undefined;
}

/**
 * Waits for the next message. Ends the Worker when the signal aborts or it has failed.
 * @param isProgress receives each message; true if another one follows
 * @throws the reason of `signal` when that aborts
 */
export function nextMessage<Message extends WorkerMessage>(
  port: BrowserWorker<Message>,
  isProgress: (message: Message) => boolean,
  signal: AbortSignal | undefined,
): Promise<Message | Failed> {
  const over = new AbortController();
  const listening = { signal: over.signal };
  return new Promise<Message | Failed>((resolve, reject) => {
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
        if (data.kind === "failed") fail();
        else if (!isProgress(data)) resolve(data);
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

function scriptUrl(script: string | undefined): string | undefined {
  if (script === undefined) return undefined;
  return URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
}

function openWorker<Message extends WorkerMessage>(
  url: string | undefined,
): BrowserWorker<Message> | undefined {
  const Worker: unknown = Reflect.get(globalThis, "Worker");
  if (url === undefined || !isWorkerClass<Message>(Worker)) return undefined;
  try {
    return new Worker(url, { type: "module" });
  } catch {
    return undefined;
  }
}

/** Trusts that anything with this global name is the browser's own. */
function isWorkerClass<Message extends WorkerMessage>(
  found: unknown,
): found is new (url: string, options: { readonly type: "module" }) => BrowserWorker<Message> {
  return typeof found === "function";
}

/** The part of a Worker's global object used here. */
export interface WorkerPort<Sent, Received> {
  addEventListener(type: "message", listener: (event: { readonly data: Received }) => void): void;
  postMessage(message: Sent): void;
}

/** Checks whether a script's global object is a Worker's. */
export function isWorkerPort<Sent, Received>(scope: object): scope is WorkerPort<Sent, Received> {
  return "postMessage" in scope && "addEventListener" in scope;
}
