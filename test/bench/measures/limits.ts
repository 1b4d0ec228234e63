import { Client } from "pg";
import type { CountedIn, Limits } from "../../../relay/domain/ports.ts";
import { PostgresLimits } from "../../../relay/limits/postgres-limits.ts";
import { MemoryLimits } from "../../../relay/limits/memory-limits.ts";
import { Connections } from "../../../relay/storage/postgres/connections.ts";
import { LIMITS_SCHEMA } from "../../../relay/storage/postgres/limits-schema.ts";
import { runningTime } from "../../../relay/storage/system.ts";
import { startPostgres } from "../../engines/postgres.ts";
import { type BenchOptions, type BenchResult, median } from "../bench-result.ts";

const AT_ONCE = 32;
const TOKENS = 1000;
const MINUTE = 60_000;
const MEBIBYTE = 1024 ** 2;

/** One way to count, with what each event counts in. */
interface Way {
  readonly name: string;
  readonly limits: Limits;
  readonly counted: (index: number) => CountedIn;
  readonly perSecond: number[];
  /** Processor time of this process, in microseconds for one event. */
  readonly cpu: number[];
}

/** Counts events in memory and in PostgreSQL by turns: what one costs the relay, and how many it counts. */
export async function benchLimits({ isShort }: BenchOptions): Promise<BenchResult> {
  const [rounds, events] = isShort ? [2, 2000] : [5, 5000];
  await using engines = new AsyncDisposableStack();
  const postgres = engines.use(await startPostgres());
  const databaseUrl = await postgres.createDatabase();
  await createCounters(databaseUrl);
  const clock = runningTime;
  const memory = new MemoryLimits(clock);
  const connections = engines.use(await Connections.open({ url: databaseUrl, onTrouble }));
  const database = engines.use(new PostgresLimits({ connections, clock }));

  const ways = [
    wayOf("memory, calls of a token", memory, callOf),
    wayOf("PostgreSQL, tries of an address", database, tryOf),
    wayOf("PostgreSQL, codes of all", database, codeOf),
  ];
  for (let round = 0; round <= rounds; round += 1) {
    for (const way of ways) await measure(way, events, round);
  }
  const peakMb = process.resourceUsage().maxRSS * 1024;
  return {
    name: "limits",
    task: `${events.toLocaleString("en")} events counted, ${AT_ONCE} at once, of ${TOKENS.toLocaleString("en")} tokens or addresses.`,
    sides: ways.map(({ name, perSecond }) => {
      return { name, unit: "calls/s" as const, values: perSecond, peakMb: peakMb / MEBIBYTE };
    }),
    figures: [],
    notes: [
      "PostgreSQL runs on the same machine. Codes of all are counted in slices of up to 64.",
      ...ways.map(
        ({ name, cpu }) =>
          `Processor time of the relay for one event (${name}): ${median(cpu).toFixed(1)} µs.`,
      ),
    ],
  };
}

function wayOf(name: string, limits: Limits, counted: Way["counted"]): Way {
  return { name, limits, counted, perSecond: [], cpu: [] };
}

/** The first round warms up and isn't counted. */
async function measure(way: Way, events: number, round: number): Promise<void> {
  const before = process.cpuUsage();
  const started = performance.now();
  let next = 0;
  const count = async () => {
    while (next < events) {
      await way.limits.take([way.counted(next++)]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, count));
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(before);
  if (round === 0) return;
  way.perSecond.push(events / seconds);
  way.cpu.push((user + system) / events);
}

function callOf(index: number): CountedIn {
  return {
    bucket: "calls",
    key: `token ${index % TOKENS}`,
    window: { max: 600, windowMs: MINUTE },
  };
}

function tryOf(index: number): CountedIn {
  const window = { max: 60, windowMs: 60 * MINUTE };
  return { bucket: "pairing-tries", key: `address ${index % TOKENS}`, window };
}

function codeOf(): CountedIn {
  const window = { max: 1_000_000, windowMs: 60 * MINUTE };
  return { bucket: "codes", key: "all", window };
}

async function createCounters(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(LIMITS_SCHEMA);
  await client.end();
}

function onTrouble(error: Error): never {
  throw error;
}
