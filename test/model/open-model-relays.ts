import { MemoryDatabase, MemoryRecords } from "../../examples/stores/memory-records.ts";
import { MemoryDisk, MemorySounds } from "../../examples/stores/memory-sounds.ts";
import { Health } from "../../relay/domain/health.ts";
import { KnownTokens } from "../../relay/domain/known-tokens.ts";
import { Admission } from "../../relay/domain/admission/admission.ts";
import { NO_METER } from "../../relay/domain/meter.ts";
import { Operator } from "../../relay/domain/operator.ts";
import { Partials } from "../../relay/domain/partials/partials.ts";
import { MemoryNotifier } from "../../relay/notify/memory-notifier.ts";
import { budgetsOf } from "../../relay/budgets-of.ts";
import { policyOf, readRelaySettings } from "../../relay/settings.ts";
import { MemoryLimits } from "../../relay/limits/memory-limits.ts";
import { systemDigest, systemRandomBytes } from "../../relay/storage/system.ts";
import { openUseCases, type UseCases } from "../relay/domain/use-cases.ts";
import { SetClock } from "../relay/set-clock.ts";

/** Limits that no life reaches. */
const MANY = 1_000_000;
const POLICY = {
  packagesPerHour: MANY,
  waitingPerDevice: MANY,
  pairingTriesPerMinute: MANY,
  bytesPerDevice: Infinity,
  bytesPerAddressPerDay: Infinity,
  minFreeBytes: 0,
};

/** The relay's use cases on its own SQL, in memory, and on disk. */
export function openOnDisk(): Promise<UseCases> {
  return openUseCases(POLICY);
}

/** The relay's use cases on the example of a store in memory: for very many steps. */
export async function openInMemory(): Promise<UseCases> {
  const { pairings, packages, soundKeys, changes } = new MemoryRecords(new MemoryDatabase());
  const clock = Object.assign(new SetClock(), {
    provenNow(this: SetClock) {
      return this.now();
    },
  });
  const notifier = new MemoryNotifier((error) => {
    throw error;
  });
  const context = {
    pairings,
    packages,
    soundKeys,
    changes,
    sounds: new MemorySounds(new MemoryDisk()),
    notifier,
    limits: new MemoryLimits(clock),
    clock,
    health: new Health(() => {}),
    randomBytes: systemRandomBytes,
    digest: systemDigest,
    policy: { ...policyOf(readRelaySettings({ environment: {} })), ...POLICY },
    known: new KnownTokens(pairings, systemDigest, clock),
    meter: NO_METER,
    admission: new Admission(budgetsOf(readRelaySettings({ environment: {} }))),
    operator: new Operator(),
    partials: new Partials(),
  };
  return { context, clock, notified: [], [Symbol.asyncDispose]: async () => {} };
}
