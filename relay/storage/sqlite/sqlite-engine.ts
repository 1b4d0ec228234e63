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
import { roomOf, type Row } from "../records/rows.ts";
import { ask, statement, type Work } from "../records/statement.ts";
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
    this.where = locationOf(deps.reading);
    this.#runner = new StatementRunner(deps.reading);
  }

  async change<Name extends ChangeName>(
    name: Name,
    argument: ChangeArgument<Name>,
  ): Promise<ChangeResult<Name>> {
    const { write, cache } = this.#deps;
    try {
      return await write(name, argument);
    } finally {
      // A refusal marks it stale, too: the caller then reads what another process wrote.
      const { writes } = changeOf(name);
      if (writes === "packages") cache.markStale();
      else if (writes === "package") cache.markStale(packageIn(argument));
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

/** Returns the database's path, or a name for a database in memory. */
export function locationOf(database: DatabaseSync): string {
  return database.location() ?? "The database";
}

const CURRENT = statement<Row>(
  "read_version",
  "SELECT version, room_held_until, room_tiers FROM packages WHERE package_id = :package_id",
  "sqlite",
);

/** Makes polling cheap: a package that nobody has written since is read from the cache. */
export function withCache(
  packages: PackageRecords,
  engine: Engine,
  cache: RecordCache,
): PackageRecords {
  return {
    ...packages,
    find: async (packageId) =>
      cache.getCurrent(packageId) ?? (await engine.read(findCached(packageId, cache))),
    findManifests: (packageIds, maxCharacters) => {
      const known = (packageId: string) => cache.get(packageId)?.manifest;
      return engine.read(findManifests(packageIds, maxCharacters, known));
    },
  };
}

/** Finds one stored package. For a cached record, it reads only what changes most: version and room. */
function* findCached(packageId: string, cache: RecordCache): Work<PackageRecord | undefined> {
  const known = cache.get(packageId);
  if (known !== undefined) {
    const [stored] = yield* ask(CURRENT({ package_id: packageId }));
    const room = stored?.["version"] === known.version ? roomOf(stored) : undefined;
    if (
      room !== undefined &&
      room?.until === known.room?.until &&
      room?.address === known.room?.address
    ) {
      cache.markCurrent(packageId);
      return known;
    }
  }
  const found = yield* findPackage(packageId, known?.manifest);
  if (found === undefined) cache.forget(packageId);
  else cache.keep(found.record, found.characters);
  return found?.record;
}
