import { DatabaseSync, type StatementSync } from "node:sqlite";

/** Compiles each statement when it first runs. Of about 100 that write, a start needs few. */
export class LazyDatabase extends DatabaseSync {
  override prepare(...given: Parameters<DatabaseSync["prepare"]>): StatementSync {
    let compiled: StatementSync | undefined;
    const compile = () => (compiled ??= super.prepare(...given));
    const lazy: Record<"all" | "get" | "iterate" | "run", (...values: never[]) => unknown> = {
      all: (...values) => compile().all(...values),
      get: (...values) => compile().get(...values),
      iterate: (...values) => compile().iterate(...values),
      run: (...values) => compile().run(...values),
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nobody uses the other members
    return lazy as unknown as StatementSync;
  }
}
