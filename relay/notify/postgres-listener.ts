import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { CHANNEL } from "./outbox-sender.ts";
import { type NotifierTiming, pause } from "./timing.ts";

interface ListenerDeps {
  /** Address of a direct connection. */
  readonly url: string;
  readonly timing: NotifierTiming;
  /** Id of this process. */
  readonly writer: string;
  /** Sends a NOTIFY over any other connection. */
  readonly notify: (payload: string) => Promise<void>;
  /** Called when another process says that there is something to read. */
  readonly onNotified: () => void;
  /** Called with each change of `trouble`. */
  readonly onTrouble: (trouble: string | undefined) => void;
  /** Called when notifications may be lost from now on. */
  readonly onLost: () => void;
}

const CHECK = "check ";

/** The failure of a connection that seems to be fine but carries nothing. */
class NothingHeard extends Error {
  override readonly name = "NothingHeard";
}

/**
 * Listens over a separate connection, and opens another one when that is lost. It notifies itself, at first and
 * regularly: a pooler accepts LISTEN and passes nothing on, and a connection that was cut may say nothing for hours.
 */
export class PostgresListener implements AsyncDisposable {
  readonly #deps: ListenerDeps;
  readonly #ending = new AbortController();
  #line: ListeningLine | undefined;
  #running: Promise<void> | undefined;
  #isListening = false;
  #trouble: string | undefined;
  #checks = 0;
  /** Running check. */
  #check: { readonly payload: string; readonly heard: () => void } | undefined;

  constructor(deps: ListenerDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** True if the last check came back and the connection is open. */
  get isListening(): boolean {
    return this.#isListening;
  }

  /** Reason why nothing arrives, and advice, as a sentence for the operator. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    this.#line?.[Symbol.dispose]();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { timing } = this.#deps;
    const [shortestMs, longestMs] = timing.retryMs;
    const { signal } = this.#ending;
    let waitMs = shortestMs;
    while (!signal.aborted) {
      try {
        await this.#listen(() => (waitMs = shortestMs));
      } catch (error) {
        if (signal.aborted) return;
        this.#lose(sentenceOf(error));
      }
      // Random, so that the processes don't come back at the same moment.
      await pause(waitMs * (0.5 + Math.random() / 2), signal);
      waitMs = Math.min(longestMs, waitMs * 2);
    }
  }

  /** Listens until the connection is lost. */
  async #listen(onListening: () => void): Promise<never> {
    const { url, timing } = this.#deps;
    using line = new ListeningLine(url, (payload) => this.#hear(payload));
    this.#line = line;
    await line.open();
    for (;;) {
      await line.whileOpen(this.#checkNow());
      onListening();
      this.#isListening = true;
      this.#tell(undefined);
      await line.whileOpen(pause(timing.recheckMs, this.#ending.signal));
    }
  }

  /** Checks the connection. @throws {NothingHeard} if the check doesn't come back in time */
  async #checkNow(): Promise<void> {
    const { notify, timing, writer } = this.#deps;
    this.#checks += 1;
    const payload = `${CHECK}${writer} ${this.#checks}`;
    const heard = Promise.withResolvers<"heard">();
    this.#check = { payload, heard: () => heard.resolve("heard") };
    await notify(payload);
    const late = sleep(timing.checkMs, "late" as const, { ref: false });
    if ((await Promise.race([heard.promise, late])) === "late") {
      throw new NothingHeard("LISTEN gets no notifications");
    }
  }

  #hear(payload: string): void {
    if (payload === this.#check?.payload) this.#check.heard();
    else if (!payload.startsWith(CHECK) && payload !== this.#deps.writer) this.#deps.onNotified();
  }

  #lose(trouble: string): void {
    const wasListening = this.#isListening;
    this.#isListening = false;
    this.#tell(trouble);
    if (wasListening) this.#deps.onLost();
  }

  #tell(trouble: string | undefined): void {
    if (this.#trouble === trouble) return;
    this.#trouble = trouble;
    this.#deps.onTrouble(trouble);
  }
}

function sentenceOf(error: unknown): string {
  const until = "Until then this relay asks the database four times a second.";
  if (error instanceof NothingHeard) {
    return `No notifications come over LISTEN: a pooler may be in between. Set SOUNDFERRY_DATABASE_LISTEN_URL to a direct connection. ${until}`;
  }
  const why = error instanceof Error ? error.message || error.name : String(error);
  return `The connection for notifications is lost (${why}). Trying again. ${until}`;
}

const CONNECT_MS = 5_000;

/** One connection that listens, from its first moment to its end. */
class ListeningLine implements Disposable {
  readonly #client: Client;
  readonly #socket = new Socket();
  readonly #lost = Promise.withResolvers<never>();

  /** Prepares a connection. @param onNotified called with each payload */
  constructor(url: string, onNotified: (payload: string) => void) {
    this.#client = new Client({
      connectionString: url,
      application_name: "soundferry listening",
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      stream: () => this.#socket,
    });
    // pg emits `error`, often twice, then `end`, and then nothing more.
    this.#client.on("error", (error) => this.#lost.reject(error));
    this.#client.on("end", () => this.#lost.reject(new Error("Connection terminated")));
    this.#client.on("notification", ({ payload }) => onNotified(payload ?? ""));
    this.#lost.promise.catch(() => undefined);
  }

  async open(): Promise<void> {
    await this.whileOpen(this.#client.connect());
    await this.whileOpen(this.#client.query(`LISTEN ${CHANNEL}`));
  }

  /** Waits for the result of `work`. @throws when the connection is lost or ended */
  async whileOpen<Result>(work: Promise<Result>): Promise<Result> {
    return Promise.race([work, this.#lost.promise]);
  }

  /** Ends the connection at once: one that was cut may never answer a farewell. */
  [Symbol.dispose](): void {
    this.#lost.reject(new Error("The relay stops."));
    this.#client.end().catch(() => undefined);
    this.#socket.destroy();
  }
}
