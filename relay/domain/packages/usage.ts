import { MAX_PACKAGE_BYTES } from "../../../core/limits.ts";
import type { MeAnswer } from "../../../core/protocol/public-api.ts";
import { roomLeft } from "../../../core/quotas/judge-room.ts";
import type { Caller } from "../caller.ts";
import { type Context, HOUR_MS } from "../context.ts";
import type { KnownApp } from "../pairing/known-tokens.ts";
import type { Usage } from "../ports.ts";
import { roomQuotas, secondsWithin } from "./room.ts";

/** What an announcement of this app would have room for now (rule A4). Advice: nothing is reserved. */
export async function readRoom(
  context: Context,
  app: KnownApp,
  caller: Caller,
): Promise<MeAnswer["room"]> {
  const usage = await readUsage(context, app, caller);
  const quotas = await roomQuotas(context, caller, { isResumed: false });
  return {
    bytes_left: roomLeft(usage, quotas),
    waiting_left: Math.max(0, context.policy.waitingPerDevice - usage.waitingPackages),
    package_bytes_max: MAX_PACKAGE_BYTES,
  };
}

/** How many packages an app may announce in any hour, how many of them are left, and the seconds until there are more. */
export interface PackagesLeft {
  readonly max: number;
  readonly remaining: number;
  /** 0 while there are some. */
  readonly seconds: number;
}

/** What the limit of packages leaves to an app now (rule L1). */
export async function readPackagesLeft(
  context: Context,
  app: KnownApp,
  caller: Caller,
): Promise<PackagesLeft> {
  const { announcements, firstAnnouncedAt } = await readUsage(context, app, caller);
  const { packagesPerHour: max } = context.policy;
  const remaining = Math.max(0, max - announcements);
  const freeAt = (firstAnnouncedAt ?? 0) + HOUR_MS;
  const seconds = remaining > 0 ? 0 : secondsWithin(freeAt - context.clock.now(), HOUR_MS);
  return { max, remaining, seconds };
}

function readUsage(
  { packages, clock }: Context,
  app: KnownApp,
  { address, networks }: Caller,
): Promise<Usage> {
  return packages.readUsage(app, { address, networks, now: clock.now() });
}
