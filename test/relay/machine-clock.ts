import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, onTestFinished, vi } from "vitest";
import { RunningRelay } from "./running-relay.ts";

// Real relays on the machine's clock, which the test sets. Time passes by the monotonic clock only as the test runs.

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** Lets the tests of this file set the machine's clock. */
export function setClockInTests(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

/** Sets the machine's clock forward, or back. */
export function jump(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "soundferry-clock-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A relay that follows the machine's clock, after its first sweep. */
export async function start(
  folder: string,
  settings: Record<string, string> = {},
): Promise<RunningRelay> {
  const all = { SOUNDFERRY_DATA: folder, ...settings };
  const relay = await RunningRelay.start(all, { hasOwnClock: true });
  onTestFinished(() => relay.stop());
  await relay.sweep();
  return relay;
}

export const noticeOf = ({ relay }: RunningRelay) => relay.context.health.notices.get("clock");
export const keptTime = async ({ relay }: RunningRelay) =>
  (await relay.context.upkeep?.read())?.time;
