import { Socket } from "node:net";
import { Client } from "pg";
import { CHANNEL } from "./outbox-sender.ts";

const CONNECT_MS = 5_000;

/** One connection that listens, from its first moment to its end. */
export class ListeningLine implements Disposable {
  readonly #client: Client;
  readonly #socket = new Socket();
  readonly #lost = Promise.withResolvers<never>();

  /** @param onNotified called with each payload */
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

  /** The result of `work`. @throws once the connection is lost or ended */
  async whileOpen<Result>(work: Promise<Result>): Promise<Result> {
    return Promise.race([work, this.#lost.promise]);
  }

  /** Ends it at once: a connection that was cut may never answer a farewell. */
  [Symbol.dispose](): void {
    this.#lost.reject(new Error("The relay stops."));
    this.#client.end().catch(() => undefined);
    this.#socket.destroy();
  }
}
