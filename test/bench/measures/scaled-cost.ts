import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type BenchOptions, type BenchResult, median } from "../bench-result.ts";
import { bigManifest } from "../big-wav.ts";
import { Child } from "../child.ts";
import { pairAlone, type PairedApp } from "../paired-app.ts";
import type { LoadCalls } from "../processes/load.ts";
import type { RelayCalls } from "../processes/relay.ts";
import type { SenderCalls } from "../processes/sender.ts";
import type { StatusCalls } from "../processes/status-calls.ts";
import { startSharedEngines } from "../scaled-relays.ts";

const SOUNDS = 8;
const CONNECTIONS = 21;
/** Calls to each relay: with more of them, more is asked, and each is as busy. */
const CALLS_PER_SECOND = 150;
const SOUND_BYTES = 32_000_000;
const WARM_UP_SECONDS = 5;

/** One way to run a relay, which is measured. */
interface Setup {
  readonly name: string;
  readonly urls: readonly string[];
  readonly app: PairedApp;
  readonly statusPath: string;
  /** Processor time of its relays so far, in milliseconds. */
  cpuMs(): Promise<number>;
  peakMb(): Promise<number>;
  readonly perThousandCalls: number[];
  readonly perGigabyte: number[];
}

/**
 * Measures the cost of a call and of a byte for the relays themselves: one on SQLite and disk, one on PostgreSQL and
 * S3, and three on the same. Only processor time of the relays counts, so that the engines beside them and the load
 * don't.
 */
export async function benchScaledCost({ folder, isShort }: BenchOptions): Promise<BenchResult> {
  await using engines = await startSharedEngines(folder);
  await using load = new Child<LoadCalls>("load");
  await using app = new Child<StatusCalls>("status-calls");
  await using sender = new Child<SenderCalls>("sender");
  await using plain = new Child<RelayCalls>("relay", { logPath: join(folder, "relay.log") });
  const { url } = await plain.call("start", { dataFolder: join(folder, "relay") });
  await using one = await engines.relays(1);
  await using three = await engines.relays(3);
  const setups = [
    await prepare("SQLite and disk", [url], {
      cpuMs: async () => (await plain.usage()).cpuMs,
      peakMb: async () => (await plain.usage()).peakMb,
    }),
    await prepare("one relay, scaled", one.urls, one),
    await prepare("three relays, scaled", three.urls, three),
  ];
  for (const setup of setups) await warmUp(setup, load);
  for (const setup of setups) await send(setup, sender, 2 * setup.urls.length);
  for (const setup of setups) {
    setup.perThousandCalls.length = 0;
    setup.perGigabyte.length = 0;
  }
  for (let round = 0; round < (isShort ? 2 : 5); round += 1) {
    for (const setup of setups) await ask(setup, app, isShort ? 2 : 10);
    for (const setup of setups) await send(setup, sender, isShort ? 2 : 8);
  }
  // Awaited here, because the relays end with this function.
  return await resultOf(setups);
}

async function prepare(
  name: string,
  urls: readonly string[],
  usage: Pick<Setup, "cpuMs" | "peakMb">,
): Promise<Setup> {
  const [url = ""] = urls;
  const app = await pairAlone(url);
  const { package_id: id } = await app.client.announce(bigManifest(SOUNDS, 1024));
  return {
    name,
    urls,
    app,
    statusPath: `/packages/${id}/status`,
    cpuMs: () => usage.cpuMs(),
    peakMb: () => usage.peakMb(),
    perThousandCalls: [],
    perGigabyte: [],
  };
}

/** Asks the relays of a setup in turn for a status, evenly, and each as often as a single one. */
async function ask(setup: Setup, app: Child<StatusCalls>, seconds: number): Promise<void> {
  const before = await setup.cpuMs();
  const urls = setup.urls.map((url) => url + setup.statusPath);
  const perSecond = CALLS_PER_SECOND * urls.length;
  await app.call("start", { urls, token: setup.app.token, perSecond });
  await sleep(seconds * 1000);
  const calls = await app.call("stop", undefined);
  setup.perThousandCalls.push((((await setup.cpuMs()) - before) / calls.length) * 1000);
}

/** Makes as many calls as each relay can answer: a relay that had fewer calls before has compiled less. */
async function warmUp(setup: Setup, load: Child<LoadCalls>): Promise<void> {
  const job = { token: setup.app.token, seconds: WARM_UP_SECONDS, connections: CONNECTIONS };
  for (const url of setup.urls) await load.call("get", { ...job, url: url + setup.statusPath });
}

/** Uploads sounds to the relays of a setup in turn, one after another. */
async function send(setup: Setup, sender: Child<SenderCalls>, count: number): Promise<void> {
  const manifest = bigManifest(1, SOUND_BYTES);
  const before = await setup.cpuMs();
  for (let index = 0; index < count; index += 1) {
    const announced = await setup.app.client.announce(manifest);
    const url = setup.urls[index % setup.urls.length] ?? "";
    await sender.call("upload", {
      urls: [url + Object.values(announced.upload).join("")],
      token: setup.app.token,
      sizeBytes: SOUND_BYTES,
    });
    await setup.app.client.withdraw(announced.package_id);
  }
  setup.perGigabyte.push((((await setup.cpuMs()) - before) / (count * SOUND_BYTES)) * 1e9);
}

async function resultOf(setups: readonly Setup[]): Promise<BenchResult> {
  const sides = await Promise.all(
    setups.flatMap(({ name, perThousandCalls, perGigabyte, ...setup }) => [
      setup.peakMb().then((mb) => ({
        name: `${name}: 1,000 calls`,
        unit: "ms" as const,
        values: perThousandCalls,
        peakMb: mb,
      })),
      setup.peakMb().then((mb) => ({
        name: `${name}: 1 GB`,
        unit: "ms" as const,
        values: perGigabyte,
        peakMb: mb,
      })),
    ]),
  );
  const [plain, one, three] = setups;
  const ratio = (
    above: Setup | undefined,
    below: Setup | undefined,
    of: "perThousandCalls" | "perGigabyte",
  ) => median(above?.[of] ?? []) / median(below?.[of] ?? []);
  return {
    name: "scaled-cost",
    task: "Processor time of the relays alone for 1,000 status calls and for 1 GB of uploads.",
    sides,
    figures: [
      { name: "calls, three ÷ one", value: ratio(three, one, "perThousandCalls"), atMost: 1.2 },
      { name: "uploads, three ÷ one", value: ratio(three, one, "perGigabyte"), atMost: 1.2 },
    ],
    notes: [
      `Each relay is asked ${CALLS_PER_SECOND} times a second. A busier one handles several calls in a turn, and each is cheaper then.`,
      `Scaled ÷ SQLite and disk: calls ${ratio(one, plain, "perThousandCalls").toFixed(2)}, uploads ${ratio(one, plain, "perGigabyte").toFixed(2)}.`,
      "Scaled: PostgreSQL and S3 on the same machine. Their own processor time isn't counted.",
    ],
  };
}
