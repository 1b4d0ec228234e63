import { budgetsOf } from "../../relay/budgets-of.ts";
import { Admission } from "../../relay/domain/admission/budgets.ts";
import type { Context, Policy } from "../../relay/domain/context.ts";
import { Health } from "../../relay/domain/upkeep/health.ts";
import { KnownTokens } from "../../relay/domain/pairing/known-tokens.ts";
import { NO_METER } from "../../relay/domain/meter.ts";
import { Operator } from "../../relay/domain/upkeep/operator.ts";
import { ListedPackages } from "../../relay/domain/packages/listed-packages.ts";
import { Partials } from "../../relay/domain/uploads/partials.ts";
import type { Ports } from "../../relay/domain/ports.ts";
import { MemoryNotifier } from "../../relay/notify/memory-notifier.ts";
import { policyOf, readRelaySettings } from "../../relay/settings.ts";
import { MemoryLimits } from "../../relay/limits/memory-limits.ts";
import { systemDigest, systemRandomBytes } from "../../relay/storage/system.ts";
import type { SetClock } from "../relay/set-clock.ts";

/** The things that outlive a process: its stores and the time. */
export type Stores = Pick<Ports, "pairings" | "packages" | "soundKeys" | "changes" | "sounds"> &
  Partial<Ports> & { readonly clock: SetClock };

/** The use cases' context in one process, which remembers nothing but what is stored. @param policy over the defaults */
export function contextOf(stores: Stores, policy: Partial<Policy> = {}): Context {
  const { clock } = stores;
  const settings = readRelaySettings({ environment: {} });
  return {
    notifier: new MemoryNotifier((error) => {
      throw error;
    }),
    limits: new MemoryLimits(clock),
    randomBytes: systemRandomBytes,
    digest: systemDigest,
    ...stores,
    health: new Health(() => {}),
    policy: {
      ...policyOf(settings),
      pairingTriesPerMinute: 1000,
      registrationsPerAddressPerDay: 1000,
      minFreeBytes: 0,
      ...policy,
    },
    known: new KnownTokens(stores.pairings, systemDigest, clock),
    meter: NO_METER,
    admission: new Admission(budgetsOf(settings)),
    operator: new Operator(),
    partials: new Partials(),
    listed: new ListedPackages(),
  };
}
