import type { ClientBase, QueryResult } from "pg";
import { STATEMENT_MS } from "./client-config.ts";
import { escapeValue } from "./escape-text.ts";
import type { Statement } from "./statement.ts";

/** What of a result is used. */
export type Answer = Pick<QueryResult, "rows" | "command">;

/**
 * Sends statements over one connection, in order and without waiting for each other (pipelined). Through a pooler they
 * have no names: the next transaction may reach another session of the database. Within one that is safe there, too,
 * because the pooler keeps the session until its end.
 */
export class ClientLine {
  readonly #client: ClientBase;
  readonly #isPooled: boolean;
  readonly #limits: { readonly query_timeout?: number };

  /** @param statementMs how long a statement may take, if that is longer than usual */
  constructor(client: ClientBase, isPooled: boolean, statementMs = STATEMENT_MS) {
    this.#client = client;
    this.#isPooled = isPooled;
    this.#limits = statementMs > STATEMENT_MS ? { query_timeout: statementMs } : {};
  }

  query({ name, text }: Statement, values: readonly unknown[] = []): Promise<Answer> {
    const query = { text, values: values.map(escapeValue), ...this.#limits };
    return this.#client.query(this.#isPooled ? query : { name, ...query });
  }

  /** Sends a text of several statements without parameters. */
  run(text: string): Promise<Answer> {
    return this.#client.query({ text, ...this.#limits });
  }
}
