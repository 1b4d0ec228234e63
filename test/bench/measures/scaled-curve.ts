import { type BenchOptions, type BenchResult, median } from "../bench-result.ts";
import { bigManifest } from "../big-wav.ts";
import { Child } from "../child.ts";
import { pairAlone, type PairedApp } from "../paired-app.ts";
import type { LoadCalls } from "../processes/load.ts";
import { startSharedEngines } from "../scaled-relays.ts";
import { Client } from "pg";

const APPS = 20;
/** At each relay. */
const CONNECTIONS = 10;
const ROUNDS = 3;

/** One number of relays with one number of packages in the database. */
interface Point {
  readonly relays: number;
  readonly packages: number;
  /** Calls a second of all relays together, one value for each round. */
  readonly statuses: number[];
  readonly announcements: number[];
  peakMb: number;
}

/** Measures the answers of one, two and four relays on one PostgreSQL that holds more and more packages. */
export async function benchScaledCurve({ folder, isShort }: BenchOptions): Promise<BenchResult> {
  const sizes = isShort ? [1000, 10_000] : [1000, 10_000, 100_000, 1_000_000];
  const counts = isShort ? [1, 2] : [1, 2, 4];
  await using engines = await startSharedEngines(folder);
  await using load = new Child<LoadCalls>("load");
  const stores = await engines.createStores();
  const apps: PairedApp[] = [];
  const points: Point[] = [];
  let modelId = "";
  let filled = 0;
  for (const packages of sizes) {
    for (const relays of counts) {
      await using running = await engines.relays(relays, stores);
      const [url = ""] = running.urls;
      while (apps.length < APPS) apps.push(await pairAlone(url));
      const [asking] = apps;
      if (asking === undefined) throw new Error("No app is paired.");
      modelId ||= (await asking.client.announce(MANIFEST)).package_id;
      await fillPackages(stores.databaseUrl, modelId, { from: filled, to: packages });
      filled = packages;
      const point: Point = { relays, packages, statuses: [], announcements: [], peakMb: 0 };
      const path = `/packages/${modelId}/status`;
      // The first round warms up.
      for (let round = 0; round <= (isShort ? 1 : ROUNDS); round += 1) {
        point.statuses.push(await ask(load, running.urls, path, asking.token, isShort ? 1 : 3));
        point.announcements.push(await announce(load, running.urls, apps, isShort ? 1 : 3));
      }
      point.statuses.shift();
      point.announcements.shift();
      point.peakMb = await running.peakMb();
      points.push(point);
    }
  }
  return resultOf(points);
}

const MANIFEST = bigManifest(4, 1024);

async function ask(
  load: Child<LoadCalls>,
  urls: readonly string[],
  path: string,
  token: string,
  seconds: number,
): Promise<number> {
  const job = { token, seconds, connections: CONNECTIONS };
  return sumOf(urls.map((url) => load.call("get", { ...job, url: url + path })));
}

async function announce(
  load: Child<LoadCalls>,
  urls: readonly string[],
  apps: readonly PairedApp[],
  seconds: number,
): Promise<number> {
  const tokens = apps.map(({ token }) => token);
  const job = { tokens, manifest: MANIFEST, seconds, connections: CONNECTIONS };
  return sumOf(urls.map((url) => load.call("announce", { ...job, url })));
}

async function sumOf(answers: readonly Promise<{ readonly callsPerSecond: number }>[]) {
  return (await Promise.all(answers)).reduce((sum, { callsPerSecond }) => sum + callsPerSecond, 0);
}

function resultOf(points: readonly Point[]): BenchResult {
  const unit = "calls/s" as const;
  const of = (point: Point, what: "statuses" | "announcements") => ({
    name: `${what}: ${point.relays} ${point.relays === 1 ? "relay" : "relays"}, ${point.packages.toLocaleString("en")} packages`,
    unit,
    values: point[what],
    peakMb: point.peakMb,
  });
  const alone = points.filter(({ relays }) => relays === 1);
  const ratio = (what: "statuses" | "announcements") =>
    median(alone.at(-1)?.[what] ?? []) / median(alone.at(0)?.[what] ?? []);
  return {
    name: "scaled-curve",
    task: `Statuses, then announcements of 4 sounds by ${APPS} apps, over ${CONNECTIONS} connections to each relay.`,
    sides: [
      ...points.map((point) => of(point, "statuses")),
      ...points.map((point) => of(point, "announcements")),
    ],
    figures: [
      { name: "statuses, most packages ÷ fewest", value: ratio("statuses"), atLeast: 0.8 },
      {
        name: "announcements, most packages ÷ fewest",
        value: ratio("announcements"),
        atLeast: 0.8,
      },
    ],
    notes: [
      "Relays, PostgreSQL and the load share the cores of one machine, so more relays than cores can't answer more.",
    ],
  };
}

/** Each of so many other computers has its part of the packages. */
const DEVICES = 10_000;

/** Copies an announced package until the database has so many, each committed and waiting at another computer. */
export async function fillPackages(
  databaseUrl: string,
  packageId: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(FILL_PACKAGES, [packageId, from, to - 1]);
    await client.query(FILL_MANIFESTS, [packageId, from, to - 1]);
    await client.query("VACUUM ANALYZE packages, manifests");
  } finally {
    await client.end();
  }
}

const FILL_PACKAGES = `
INSERT INTO packages (
  package_id, device_id, app_id, app_name, created_at, announced_bytes, missing_bytes, upload_ends_at, committed_at,
  wait_ends_at, files_end_at, files_deleted, uploaded, room_held_until, room_tiers, version
)
SELECT 'pkg_fill_' || place_of, 'dev_fill_' || place_of % ${DEVICES}, app_id, app_name, created_at, announced_bytes, 0,
  upload_ends_at, created_at, created_at + 86400000, created_at + 86400000, 0, uploaded, 0, '', 1
FROM packages AS model CROSS JOIN generate_series($2::bigint, $3::bigint) AS place_of
WHERE model.package_id = $1`;

const FILL_MANIFESTS = `
INSERT INTO manifests (package_id, folded_title, manifest)
SELECT 'pkg_fill_' || place_of, folded_title, manifest
FROM manifests AS model CROSS JOIN generate_series($2::bigint, $3::bigint) AS place_of
WHERE model.package_id = $1`;
