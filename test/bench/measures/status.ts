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
  const unit = "calls/s";
  return {
    name: "status",
    task: `GET /packages/{id}/status of ${SOUNDS} sounds, asked by autocannon over 20 connections.`,
    sides: [
      { name: "bare", unit, values: rounds.bare, peakMb: (await bare.usage()).peakMb },
      { name: "relay", unit, values: rounds.ours, peakMb: (await relay.usage()).peakMb },
    ],
    figures: [{ name: "relay ÷ bare", value: ratio.value, atLeast: 0.6 }],
    notes: [
      "Bare: one Fastify route that answers the same body, without token, limit, log or database.",
      ratio.note,
      `Processor time of one call: bare ${microseconds(cpuPerCall.bare)}, relay ${microseconds(cpuPerCall.relay)}.`,
    ],
  };
}

function microseconds(costs: readonly number[]): string {
  return `${(median(costs) * 1000).toFixed(0)} µs`;
}
