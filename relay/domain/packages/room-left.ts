import { MAX_PACKAGE_BYTES } from "../../../core/limits.ts";
import type { MeAnswer } from "../../../core/protocol/public-api.ts";
import { roomLeft } from "../../../core/quotas/judge-room.ts";
import { waitingLeft } from "../../../core/quotas/room-shares.ts";
import type { Caller } from "../caller.ts";
import { type Context, HOUR_MS } from "../context.ts";
import type { KnownApp } from "../pairing/known-tokens.ts";
import { secondsWithin } from "./refuse-room.ts";
import { limitsOfDevice, roomQuotas } from "./room.ts";

/** Reads how much room an announcement of this app would have now (rule A4). It is advice: nothing is reserved. */
export async function readRoom(
  context: Context,
  app: KnownApp,
  caller: Caller,
): Promise<MeAnswer["room"]> {
  const { address, networks } = caller;
  const usage = await context.packages.readUsage(app, {
    address,
    networks,
    now: context.clock.now(),
  });
  const spareBytes = usage.spareOfRelay;
  const quotas = await roomQuotas(context, caller, { isResumed: false, spareBytes });
  return {
    bytes_left: roomLeft(usage, quotas),
    waiting_left: Math.max(
      0,
      waitingLeft(limitsOfDevice(context.policy, caller).waitingPerDevice, usage),
    ),
    package_bytes_max: MAX_PACKAGE_BYTES,
  };
}

/** An app's limit of packages in any hour, the rest of it, and the seconds until there is more. */
interface PackagesLeft {
  readonly max: number;
  readonly remaining: number;
  /** 0 while some are left. */
  readonly seconds: number;
}

/** Reads how many packages the limit leaves to an app now (rule L1). */
export async function readPackagesLeft(
  { packages, policy, clock }: Context,
  app: KnownApp,
): Promise<PackagesLeft> {
  const now = clock.now();
  const { announcements, firstAnnouncedAt } = await packages.readHour(app, now);
  const { packagesPerHour: max } = policy;
  const remaining = Math.max(0, max - announcements);
  const freeAt = (firstAnnouncedAt ?? 0) + HOUR_MS;
  const seconds = remaining > 0 ? 0 : secondsWithin(freeAt - now, HOUR_MS);
  return { max, remaining, seconds };
}
