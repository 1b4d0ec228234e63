import type { ClientBase, QueryResult } from "pg";
import { escapeValue } from "./escape-text.ts";
import type { Statement } from "./statement.ts";

/** What of a result is used. */
export type Answer = Pick<QueryResult, "rows" | "command">;

/**
 * Sends statements over one connection, in order. Directly, they go out without waiting for each other (pipelined).
 * Through a pooler one waits for the other, and has no name: the next may reach another session of the database.
 */
export class ClientLine {
  readonly #client: ClientBase;
  readonly #isPooled: boolean;
  #last: Promise<unknown> = Promise.resolve();

  constructor(client: ClientBase, isPooled: boolean) {
    this.#client = client;
    this.#isPooled = isPooled;
  }

  query({ name, text }: Statement, values: readonly unknown[] = []): Promise<Answer> {
    const query = { text, values: values.map(escapeValue) };
    return this.#send(() => this.#client.query(this.#isPooled ? query : { name, ...query }));
  }

  /** Sends a text of several statements without parameters. */
  run(text: string): Promise<Answer> {
    return this.#send(() => this.#client.query(text));
  }

  #send(send: () => Promise<Answer>): Promise<Answer> {
    const answer = this.#isPooled ? this.#last.then(send, send) : send();
    this.#last = answer.catch(() => {});
    return answer;
  }
}
