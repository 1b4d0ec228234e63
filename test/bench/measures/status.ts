import { join } from "node:path";
import {
  type BenchResult,
  type BenchOptions,
  ratioOf,
  interleave,
  median,
} from "../bench-result.ts";
import { bigManifest } from "../big-wav.ts";
import { Child } from "../child.ts";
import { pairAlone } from "../paired-app.ts";
import type { BareStatusCalls } from "../processes/bare-status.ts";
import type { LoadCalls } from "../processes/load.ts";
import type { RelayCalls } from "../processes/relay.ts";
import type { AnnounceCalls } from "../processes/announce.ts";

const SOUNDS = 8;
/** Warm-up for the JIT compiler, the same for both sides. */
const WARM_UP_SECONDS = 5;

/** Polls the status of a package: every limit counts, the log is the default one. */
export async function benchStatus({ folder, isShort }: BenchOptions): Promise<BenchResult> {
  await using relay = new Child<RelayCalls>("relay", { logPath: join(folder, "relay.log") });
  await using bare = new Child<BareStatusCalls>("bare-status");
  await using load = new Child<LoadCalls>("load");
  const { url: relayUrl } = await relay.call("start", { dataFolder: join(folder, "relay") });
  const { client, token } = await pairAlone(relayUrl);
  const { package_id: id } = await client.announce(bigManifest(SOUNDS, 1024));
  const { url: bareUrl } = await bare.call("start", { body: await client.status(id) });

  const cpuPerCall = { bare: new Array<number>(), relay: new Array<number>() };
  const loadOn = (url: string, seconds: number) =>
    load.call("get", { url: `${url}/packages/${id}/status`, token, seconds });
  const ask = async (url: string, server: Pick<Child<object>, "usage">, costs: number[]) => {
    const before = await server.usage();
    const outcome = await loadOn(url, isShort ? 2 : 5);
    costs.push(((await server.usage()).cpuMs - before.cpuMs) / outcome.calls);
    return outcome.callsPerSecond;
  };
  await loadOn(bareUrl, WARM_UP_SECONDS);
  await loadOn(relayUrl, WARM_UP_SECONDS);
  const rounds = await interleave(
    isShort ? 2 : 7,
    () => ask(bareUrl, bare, cpuPerCall.bare),
    () => ask(relayUrl, relay, cpuPerCall.relay),
  );
  const ratio = ratioOf(rounds);
  const aboveBare = median(cpuPerCall.relay) - median(cpuPerCall.bare);
  const unit = "calls/s";
  return {
    name: "status",
    task: `GET /packages/{id}/status of ${SOUNDS} sounds, asked by autocannon over 20 connections.`,
    sides: [
      { name: "bare", unit, values: rounds.bare, peakMb: (await bare.usage()).peakMb },
      { name: "relay", unit, values: rounds.ours, peakMb: (await relay.usage()).peakMb },
    ],
    figures: [
      { name: "relay ÷ bare", value: ratio.value, atLeast: 0.78 },
      { name: "processor time above bare, µs", value: aboveBare * 1000, atMost: 6 },
    ],
    notes: [
      "Bare: one Fastify route that answers the same body, without token, limit, log or database.",
      ratio.note,
      `Processor time of one call: bare ${microseconds(cpuPerCall.bare)}, relay ${microseconds(cpuPerCall.relay)}.`,
    ],
  };
}

function microseconds(costs: readonly number[]): string {
  return `${(median(costs) * 1000).toFixed(1)} µs`;
}

const EARLIER = 100_000;
const EARLIER_IN_SHORT = 5000;

/** Announces into an empty database and into one with a day's announcements from the same address. */
export async function benchAnnounce({ folder, isShort }: BenchOptions): Promise<BenchResult> {
  const earlier = isShort ? EARLIER_IN_SHORT : EARLIER;
  const count = isShort ? 500 : 3000;
  await using empty = new Child<AnnounceCalls>("announce");
  await using full = new Child<AnnounceCalls>("announce");
  const fullFolder = join(folder, "full");
  await full.call("open", { folder: fullFolder, earlier });

  let round = 0;
  const cpuPerCall = { empty: new Array<number>(), full: new Array<number>() };
  const announce = async (child: typeof empty, into: string, costs: number[]) => {
    const before = await child.usage();
    const perSecond = await child.call("announce", { folder: into, count, round });
    costs.push(((await child.usage()).cpuMs - before.cpuMs) / count);
    return perSecond;
  };
  const announceIntoEmpty = async () => {
    const emptyFolder = join(folder, `empty-${(round += 1)}`);
    await empty.call("open", { folder: emptyFolder, earlier: 0 });
    const perSecond = await announce(empty, emptyFolder, cpuPerCall.empty);
    await empty.call("close", { folder: emptyFolder });
    return perSecond;
  };
  const announceIntoFull = () => announce(full, fullFolder, cpuPerCall.full);
  const rounds = await interleave(isShort ? 2 : 7, announceIntoEmpty, announceIntoFull);
  await full.call("close", { folder: fullFolder });
  const ratio = ratioOf(rounds);
  const unit = "calls/s";
  const many = earlier.toLocaleString("en");
  return {
    name: "announce",
    task: `${count.toLocaleString("en")} announcements of 8 sounds by 32 callers at once, stored durably.`,
    sides: [
      { name: "bare", unit, values: rounds.bare, peakMb: (await empty.usage()).peakMb },
      { name: `after ${many}`, unit, values: rounds.ours, peakMb: (await full.usage()).peakMb },
    ],
    figures: [
      { name: `after ${many} ÷ bare`, value: ratio.value, atLeast: 0.8 },
      {
        name: `processor time after ${many} ÷ bare`,
        value: median(cpuPerCall.full) / median(cpuPerCall.empty),
        atMost: 1.25,
      },
    ],
    notes: [
      "Bare: a new, empty database for each round.",
      `After ${many}: announcements of the last hour by other apps, all from the same address, none uploaded.`,
      ratio.note,
      `Processor time of one announcement: bare ${microseconds(cpuPerCall.empty)}, after ${many} ${microseconds(cpuPerCall.full)}.`,
    ],
  };
}
