import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { RecordStore } from "../../relay/domain/ports.ts";
import { PostgresDatabase } from "../../relay/storage/postgres/postgres-database.ts";
import { SqliteDatabase } from "../../relay/storage/sqlite/sqlite-database.ts";
import { insert, packageOf, register } from "../contracts/relay/records/sample-records.ts";
import { startPostgres } from "../engines/postgres.ts";

// Announcements and reads of the records' port, without HTTP: SQLite, PostgreSQL, and PostgreSQL with two processes.
// `node scripts/node.cjs test/bench/records-port.ts`

const ROUNDS = 3;
const RUN_MS = 3000;
const DEVICES = 100;
const IN_FLIGHT = 20;
const QUOTAS = {
  packagesPerHour: 1e9,
  waitingPerDevice: 1e9,
  bytesPerDevice: 1e15,
  bytesPerAddressPerDay: 1e15,
  unfilledPerApp: 1e15,
  unfilledPerAddress: 1e15,
  uncrowdedBytes: Infinity,
  roomBytes: "unknown",
} as const;

interface Rates {
  readonly announcements: number;
  readonly reads: number;
}

async function openRecords(where: string): Promise<RecordStore & AsyncDisposable> {
  if (!where.startsWith("postgres:")) return SqliteDatabase.open(where);
  return PostgresDatabase.open({ url: where, onTrouble: () => {} });
}

/** Measures the calls a second that return, with so many in flight. */
async function rateOf(act: (index: number) => Promise<unknown>): Promise<number> {
  const began = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      while (performance.now() - began < RUN_MS) await act(done++);
    }),
  );
  return Math.round((done * 1000) / (performance.now() - began));
}

async function measure(where: string, name: string): Promise<Rates> {
  await using records = await openRecords(where);
  for (let device = 0; device < DEVICES; device++) await register(records, `${name}-${device}`);
  const announcements = await rateOf((index) => {
    const [deviceId, address] = [`${name}-${index % DEVICES}`, `${name} ${index % DEVICES}`];
    const record = { ...packageOf(`pkg_${name}_${index}`), deviceId };
    return insert(records, record, { quotas: QUOTAS, address });
  });
  const reads = await rateOf(async (index) => records.packages.find(`pkg_${name}_${index % 1000}`));
  return { announcements, reads };
}

/** Measures in processes of their own, all at the same time. */
async function measureBeside(where: string, round: string, processes: number): Promise<Rates> {
  const all = await Promise.all(
    Array.from({ length: processes }, async (_, index) => {
      const args = [import.meta.filename, where, `${round}${index}`];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      const rates: Rates = JSON.parse(stdout);
      return rates;
    }),
  );
  return {
    announcements: all.reduce((sum, each) => sum + each.announcements, 0),
    reads: all.reduce((sum, each) => sum + each.reads, 0),
  };
}

const [where, name] = process.argv.slice(2);
if (where !== undefined && name !== undefined) {
  process.stdout.write(JSON.stringify(await measure(where, name)));
} else {
  await using postgres = await startPostgres();
  const folder = await mkdtemp(join(tmpdir(), "soundferry-bench-"));
  try {
    for (let round = 1; round <= ROUNDS; round++) {
      const url = await postgres.createDatabase();
      console.log(`round ${round}`, {
        sqlite: await measureBeside(folder, `a${round}`, 1),
        postgres: await measureBeside(url, `b${round}`, 1),
        "postgres, two processes": await measureBeside(url, `c${round}`, 2),
      });
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}
