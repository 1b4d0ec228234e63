import { onTestFinished } from "vitest";
import type { Importer } from "../../addon/importer.ts";
import { importerAtWork, type WorkOptions } from "./importer-at-work.ts";
import { StandInRelay } from "./relay/stand-in-relay.ts";
import { until } from "../sim/until.ts";

/** A relay that names an instance, and whose tokens no other stand-in makes. */
export async function relayNamed(instance: string | undefined, name = `${instance}-`) {
  const relay = await StandInRelay.start();
  onTestFinished(() => relay.stop());
  Object.assign(relay, { instance, name });
  return relay;
}

/** Starts another relay at the address of one that is stopped. */
export async function takePlaceOf(relay: StandInRelay, other: StandInRelay): Promise<void> {
  await relay.stop();
  await other.stop();
  await other.restart(Number(new URL(relay.url).port));
}

export function pairApp(relay: StandInRelay, name = "Looper"): void {
  const at = "2026-11-21T12:00:00.000Z";
  const times = { paired_at: at, last_seen_at: at, waiting_packages: 0 };
  relay.apps.push({ pairing_id: `pair_${name}`, app_name: name, ...times });
}

export async function started(relayUrl: string | null, options: WorkOptions = {}) {
  const work = await importerAtWork(relayUrl, options);
  await work.importer.start();
  return work;
}

export const isConnected = ({ state }: Importer) => state.connection.status === "connected";

/** Starts an importer, and waits until it is connected. */
export async function connected(relayUrl: string, options: WorkOptions = {}) {
  const work = await started(relayUrl, options);
  await until(() => isConnected(work.importer));
  return work;
}

/** Every token that a relay has seen. */
export function tokensAt(relay: StandInRelay): readonly string[] {
  return [...new Set(relay.calls.flatMap(({ headers }) => headers.authorization ?? []))];
}
