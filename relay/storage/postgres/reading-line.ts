import { Client, type ClientConfig } from "pg";
import { ClientLine } from "./client-line.ts";
import type { Statement } from "./statement.ts";

interface Opened {
  readonly client: Client;
  readonly ready: Promise<ClientLine>;
}

/** One connection that all short reads share. It is opened when it is needed, also after it was lost. */
export class ReadingLine implements AsyncDisposable {
  readonly #config: ClientConfig;
  #opened: Opened | undefined;

  constructor(config: ClientConfig) {
    this.#config = config;
  }

  async query(statement: Statement, values?: readonly unknown[]): Promise<readonly unknown[]> {
    this.#opened ??= this.#open();
    const line = await this.#opened.ready;
    return (await line.query(statement, values)).rows;
  }

  #open(): Opened {
    const client = new Client({ ...this.#config, pipeline: true });
    const forget = () => {
      if (this.#opened?.client === client) this.#opened = undefined;
    };
    // Queries in flight reject with the same error.
    client.on("error", forget);
    client.on("end", forget);
    const ready = client.connect().then(
      () => new ClientLine(client, false),
      (error: unknown) => {
        forget();
        throw error;
      },
    );
    return { client, ready };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    if (opened === undefined) return;
    await opened.ready.catch(() => {});
    await opened.client.end();
  }
}
