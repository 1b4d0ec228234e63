import type { StoreWrites } from "../../domain/ports.ts";
import { Listeners } from "../listeners.ts";
import type { Change } from "../records/change.ts";
import {
  type ChangeArgument,
  type ChangeName,
  changeOf,
  type ChangeResult,
} from "../records/changes.ts";
import type { Engine } from "../records/engine.ts";
import { type Bound, runLater, type Work } from "../records/statement.ts";
import type { Connections } from "./connections.ts";
import { askEach, runIn } from "./transaction.ts";

/** Time that a statement of a slow change may take. */
const SLOW_MS = 600_000;

/** Runs changes and reads in PostgreSQL. Counts the changes that run, and measures each. */
export class PostgresEngine implements Engine, StoreWrites {
  readonly process: string;
  readonly where: string;
  readonly #connections: Connections;
  readonly #written = new Listeners<[ms: number]>();
  #waiting = 0;

  constructor(connections: Connections) {
    this.#connections = connections;
    this.process = connections.outbox.writer;
    this.where = connections.where;
  }

  get waiting(): number {
    return this.#waiting;
  }

  onWritten(listener: (ms: number) => void): () => void {
    return this.#written.add(listener);
  }

  async change<Name extends ChangeName>(
    name: Name,
    argument: ChangeArgument<Name>,
  ): Promise<ChangeResult<Name>> {
    const began = performance.now();
    this.#waiting += 1;
    try {
      return await this.#change(changeOf(name), argument);
    } finally {
      this.#waiting -= 1;
      this.#written.call(performance.now() - began);
    }
  }

  read<Result>(read: Work<Result>): Promise<Result> {
    return this.#run(read, (bound) => this.#connections.read(bound));
  }

  readSlowly<Result>(read: Work<Result>): Promise<Result> {
    return this.#run(read, (bound) => this.#connections.readSlowly(bound));
  }

  #change<Argument, Result>(
    { run, ifUnknown, isOne, isSlow }: Change<Argument, Result>,
    argument: Argument,
  ): Promise<Result> {
    if (isOne === true) {
      return this.#run(run(argument), (bound) => this.#connections.write(bound));
    }
    const look =
      typeof ifUnknown === "function" ? () => this.readSlowly(ifUnknown(argument)) : ifUnknown;
    return this.#connections.transaction((tx) => runIn(tx, run(argument)), {
      ...(look !== undefined && { ifUnknown: look }),
      ...(isSlow === true && { statementMs: SLOW_MS }),
    });
  }

  #run<Result>(
    work: Work<Result>,
    send: (bound: Bound) => Promise<readonly unknown[]>,
  ): Promise<Result> {
    return runLater(work, (step) => {
      if (step.kind !== "ask") throw new Error("Only a transaction changes anything.");
      return askEach(step.statements, send);
    });
  }
}
