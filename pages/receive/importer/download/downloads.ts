import { type BrowserWorker, startWorker } from "../../../../client/parts/worker-port.ts";
import { FetchFailure } from "../../../../core/importer/fetch-failure.ts";
import {
  ForeignAnswerError,
  notTheSound,
  refusalIn,
  RelayUnreachableError,
} from "../../../../core/importer/relay-errors.ts";
import { receiveSentence } from "../../../../core/protocol/receive-sentences.ts";
import { RECEIVE_WORKER_PATH } from "../../../../core/protocol/receive-worker.ts";
import { runSentence } from "../../../../core/protocol/run-sentences.ts";
import type { LiveSetFile, LiveSetRequest } from "../save/live-set-file.ts";
import type {
  DownloadedSound,
  DownloadTask,
  DownloadTrouble,
  FromWorker,
  ToWorker,
} from "./download-messages.ts";

/** A sound that can't be used, whatever is tried: its content isn't what was announced, or no usable WAV. */
export class UnusableSoundError extends Error {
  override readonly name = "UnusableSoundError";
}

interface Running {
  readonly task: DownloadTask;
  readonly onBytes: (seenBytes: number) => void;
  readonly resolve: (downloaded: DownloadedSound) => void;
  readonly reject: (error: Error) => void;
}

interface Formatting {
  readonly resolve: (file: LiveSetFile | null) => void;
  readonly reject: (error: Error) => void;
}

/** Number of Workers: hashing one sound and receiving another share two cores. */
const WORKERS = 2;

/** Downloads sounds in Workers, which write them into the page's private files. They start with the first ones. */
export class Downloads {
  readonly #running = new Map<number, Running>();
  readonly #formatting = new Map<number, Formatting>();
  readonly #over = new AbortController();
  readonly #workers = new Map<number, Promise<BrowserWorker<FromWorker>>>();
  #next = 0;

  /**
   * Makes one attempt to download a sound, from where an earlier one ended.
   * @throws {UnusableSoundError}
   * @throws {FetchFailure} when the relay couldn't deliver it
   * @throws {Error} with a sentence, when the browser can't store it; the reason of the signal when that aborts
   */
  async download(
    task: DownloadTask,
    options: { readonly signal: AbortSignal; readonly onBytes: (seenBytes: number) => void },
  ): Promise<DownloadedSound> {
    const { signal, onBytes } = options;
    signal.throwIfAborted();
    const id = (this.#next += 1);
    const port = await this.#worker(id % WORKERS);
    signal.throwIfAborted();
    const send = (message: ToWorker) => port.postMessage(message);
    const cancel = () => send({ kind: "cancel", id });
    signal.addEventListener("abort", cancel, { once: true });
    try {
      return await new Promise<DownloadedSound>((resolve, reject) => {
        this.#running.set(id, { task, onBytes, resolve, reject });
        send({ kind: "download", id, ...task });
      });
    } catch (error) {
      // The Worker has closed the file by now, so that another tab can open it.
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener("abort", cancel);
      this.#running.delete(id);
    }
  }

  /** Formats a Live Set in a Worker, which has the tables of its format. */
  async formatLiveSet(request: LiveSetRequest): Promise<LiveSetFile | null> {
    const id = (this.#next += 1);
    const port = await this.#worker(id % WORKERS);
    try {
      return await new Promise<LiveSetFile | null>((resolve, reject) => {
        this.#formatting.set(id, { resolve, reject });
        port.postMessage({ kind: "live-set", id, ...request } satisfies ToWorker);
      });
    } finally {
      this.#formatting.delete(id);
    }
  }

  /** Ends the Worker. */
  end(): void {
    this.#over.abort();
    for (const worker of this.#workers.values()) void worker.then((port) => port.terminate());
  }

  #worker(at: number): Promise<BrowserWorker<FromWorker>> {
    const known = this.#workers.get(at);
    if (known !== undefined) return known;
    const starting = this.#start(at);
    this.#workers.set(at, starting);
    starting.catch(() => this.#workers.delete(at));
    return starting;
  }

  async #start(at: number): Promise<BrowserWorker<FromWorker>> {
    const worker = await startWorker<FromWorker>(undefined, RECEIVE_WORKER_PATH);
    if (worker === undefined) throw new Error(receiveSentence("RECEIVE_NO_WORKER"));
    const listening = { signal: this.#over.signal };
    worker.addEventListener("message", ({ data }) => this.#handle(data), listening);
    worker.addEventListener(
      "error",
      (event) => {
        event.preventDefault();
        this.#workers.delete(at);
        const waiting = [...this.#running.values(), ...this.#formatting.values()];
        for (const { reject } of waiting) reject(storageTrouble());
      },
      listening,
    );
    return worker;
  }

  #handle(message: FromWorker): void {
    if (!("id" in message)) return;
    const formatting = this.#formatting.get(message.id);
    if (message.kind === "live-set") return formatting?.resolve(message.file);
    if (message.kind === "trouble") formatting?.reject(storageTrouble());
    const running = this.#running.get(message.id);
    if (message.kind === "bytes") running?.onBytes(message.seenBytes);
    else if (message.kind === "done") running?.resolve(message.downloaded);
    else running?.reject(errorOf(message.trouble, running.task));
  }
}

function errorOf(trouble: DownloadTrouble, { sound: { file, bytes } }: DownloadTask): Error {
  const { host } = location;
  switch (trouble.why) {
    case "sound":
      return new UnusableSoundError(trouble.sentence);
    case "refused": {
      const { status, retryAfter, body } = trouble;
      const headers = retryAfter === undefined ? {} : { "retry-after": retryAfter };
      return FetchFailure.of(refusalIn({ status, headers, body }, host));
    }
    case "foreign": {
      const answer = { statusCode: trouble.status, headers: {} };
      return FetchFailure.of(new ForeignAnswerError(answer, host, true));
    }
    case "not-sound":
      return FetchFailure.of(notTheSound(host));
    case "network":
      return FetchFailure.of(new RelayUnreachableError(runSentence("RELAY_LOST", { relay: host })));
    case "busy":
      return new FetchFailure(receiveSentence("RECEIVE_ELSEWHERE"));
    case "cut":
      return new FetchFailure(runSentence(trouble.code, { file }));
    case "room":
      return noRoom(bytes);
    case "storage":
      return storageTrouble();
  }
}

function storageTrouble(): Error {
  return new Error(receiveSentence("RECEIVE_STORAGE"));
}

/** The error when the browser has no room for sounds. */
export function noRoom(bytes: number): Error {
  const limit = `${Math.max(1, Math.ceil(bytes / 1024 ** 2))} MB`;
  return new Error(receiveSentence("RECEIVE_NO_ROOM", { limit }));
}
