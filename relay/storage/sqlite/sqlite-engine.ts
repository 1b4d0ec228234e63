import type { DatabaseSync } from "node:sqlite";
import type { PackageRecord, PackageRecords } from "../../domain/ports.ts";
import { named } from "../naming-trouble.ts";
import {
  type ChangeArgument,
  type ChangeName,
  changeOf,
  type ChangeResult,
} from "../records/changes.ts";
import type { Engine } from "../records/engine.ts";
import { findManifests, findPackage } from "../records/package-reads.ts";
import type { Work } from "../records/statement.ts";
import type { RecordCache } from "./record-cache.ts";
import { StatementRunner } from "./statement-runner.ts";
import type { Write } from "./writes.ts";

/** The parts of an engine. */
interface EngineDeps {
  /** A connection that sees every change of `write` before it resolves. */
  readonly reading: DatabaseSync;
  readonly write: Write;
  /** Cache that the caller marks stale when another connection has written. */
  readonly cache: RecordCache;
  /** Returns the error to reject a read with. Replaces `named`. */
  readonly nameError?: (error: unknown, path: string) => unknown;
  /** Runs before each read. May throw to refuse it. */
  readonly beforeRead?: () => void;
}

/** Runs reads in SQLite on a connection of its own, and gives changes to a writer. */
export class SqliteEngine implements Engine {
  readonly process = null;
  readonly where: string;
  readonly #deps: EngineDeps;
  readonly #runner: StatementRunner;

  constructor(deps: EngineDeps) {
    this.#deps = deps;
    this.where = deps.reading.location() ?? "The database";
    this.#runner = new StatementRunner(deps.reading);
  }

  async change<Name extends ChangeName>(
    name: Name,
    argument: ChangeArgument<Name>,
  ): Promise<ChangeResult<Name>> {
    const { write, cache } = this.#deps;
    const { writes } = changeOf(name);
    const written = writes === "package" ? packageIn(argument) : undefined;
    const endWrite = writes === undefined ? undefined : cache.beginWrite(written);
    try {
      return await write(name, argument);
    } finally {
      // A refusal marks it stale, too: the caller then reads what another process wrote.
      endWrite?.();
    }
  }

  async read<Result>(read: Work<Result>): Promise<Result> {
    const { beforeRead = () => {}, nameError = named } = this.#deps;
    try {
      beforeRead();
      return this.#runner.run(read);
    } catch (error) {
      throw nameError(error, this.where);
    }
  }

  readSlowly<Result>(read: Work<Result>): Promise<Result> {
    return this.read(read);
  }
}

function packageIn(argument: unknown): string | undefined {
  const isObject = typeof argument === "object" && argument !== null;
  const id = isObject && "packageId" in argument ? argument.packageId : undefined;
  return typeof id === "string" ? id : undefined;
}

/** Makes polling cheap: a package that nobody has written since is read from the cache. */
export function withCache(
  packages: PackageRecords,
  engine: Engine,
  cache: RecordCache,
): PackageRecords {
  const known = (packageId: string) => cache.get(packageId)?.manifest;
  return {
    ...packages,
    find: (packageId) => cache.getCurrent(packageId) ?? engine.read(findCached(packageId, cache)),
    findManifests: (packageIds, maxCharacters) =>
      engine.read(findManifests(packageIds, maxCharacters, known)),
  };
}

/** Reads a package. Its manifest never changes, so it is parsed only once while the cache has it. */
function* findCached(packageId: string, cache: RecordCache): Work<PackageRecord | undefined> {
  const found = yield* findPackage(packageId, cache.get(packageId)?.manifest);
  if (found === undefined) cache.forget(packageId);
  else cache.keep(found.record, found.characters);
  return found?.record;
}
