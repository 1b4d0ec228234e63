import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { refusal } from "../../../../core/protocol/refusal.ts";
import type { Notifier, Topic } from "../../../../relay/domain/ports.ts";
import { callingApp } from "../../../../relay/domain/caller.ts";
import {
  RunningTransfer,
  watchDownload,
  watchUpload,
} from "../../../../relay/domain/uploads/running-transfers.ts";
import { HOUR } from "../../../contracts/relay/records/sample-records.ts";
import { countListeners } from "../../count-listeners.ts";
import { operatorWho } from "../upkeep/operator-who.ts";
import { openUpload } from "./open-upload.ts";
import { openUseCases, pairedApp, recordOf, send } from "../use-cases.ts";
import { until } from "../../../sim/until.ts";

const LOOK_AGAIN = 5000;
const TOPIC: Topic = "package:1";

/** A check that the test decides, and counts. */
class Check {
  count = 0;
  until = Infinity;
  failure: Error | undefined;
  /** Runs while the check runs. */
  meanwhile: () => void = () => undefined;

  readonly first = async () => ({ found: "it", until: await this.again() });

  readonly again = async (): Promise<number> => {
    this.count += 1;
    const { failure } = this;
    this.meanwhile();
    await Promise.resolve();
    if (failure !== undefined) throw failure;
    return this.until;
  };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function open(prepare: (check: Check, notifier: Notifier) => void = () => undefined) {
  const cases = await openUseCases({ lookAgainMs: LOOK_AGAIN });
  const check = new Check();
  prepare(check, cases.context.notifier);
  const listening = countListeners(cases.context.notifier);
  const transfer = new RunningTransfer(cases.context, [TOPIC], check);
  await settle();
  return {
    cases,
    check,
    listening,
    transfer,
    [Symbol.asyncDispose]: () => cases[Symbol.asyncDispose](),
  };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

describe("a running transfer", () => {
  test("[J9] is checked at its start, so that nothing is missed before it listens", async () => {
    const gone = refusal("TOKEN_UNKNOWN");
    await using one = await open((check) => (check.failure = gone));
    expect(one.transfer.ended.reason).toBe(gone);
    await expect(one.transfer.found).rejects.toBe(gone);
  });

  test("[J9] gets what its first check found, and later checks change nothing about that", async () => {
    await using one = await open();
    expect(await one.transfer.found).toBe("it");
    one.check.failure = refusal("TOKEN_UNKNOWN");
    one.cases.context.notifier.missed();
    await settle();
    expect(one.transfer.ended.aborted).toBe(true);
    expect(await one.transfer.found).toBe("it");
  });

  test("[J9] can't begin where its first check fails, whatever the reason", async () => {
    const locked = new Error("The database is locked.");
    await using one = await open((check) => (check.failure = locked));
    await expect(one.transfer.found).rejects.toBe(locked);
    one.transfer[Symbol.dispose]();
  });

  test("[J9] is checked after each notification, and where one may have been missed", async () => {
    await using one = await open();
    const { notifier } = one.cases.context;
    await notifier.notify(TOPIC, { type: "packages.changed" });
    await notifier.notify("package:2", { type: "packages.changed" });
    await settle();
    expect(one.check.count).toBe(2);
    one.check.failure = refusal("PACKAGE_UNKNOWN");
    notifier.missed();
    await settle();
    expect(one.transfer.ended.reason).toBe(one.check.failure);
    one.transfer[Symbol.dispose]();
  });

  test("[J9] is checked again where news come during its first check", async () => {
    const revoked = refusal("TOKEN_UNKNOWN");
    await using one = await open((check, notifier) => {
      check.meanwhile = () => {
        check.meanwhile = () => undefined;
        check.failure = revoked;
        notifier.missed();
      };
    });
    expect(await one.transfer.found).toBe("it");
    expect(one.transfer.ended.reason).toBe(revoked);
  });

  test("[J9] is checked once more, not several times, where news come during a check", async () => {
    await using one = await open();
    const { notifier } = one.cases.context;
    one.check.meanwhile = () => {
      one.check.meanwhile = () => undefined;
      for (let count = 0; count < 5; count += 1) notifier.missed();
    };
    notifier.missed();
    await settle();
    expect(one.check.count).toBe(3);
    one.transfer[Symbol.dispose]();
  });

  test("[J6] is checked regularly, so that a notification lost for ever is made good", async () => {
    await using one = await open();
    await vi.advanceTimersByTimeAsync(LOOK_AGAIN - 1);
    expect(one.check.count).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(one.check.count).toBe(2);
    one.transfer[Symbol.dispose]();
  });

  test("[J9] is checked when its time is over, also where the relay's time runs slower", async () => {
    await using one = await open();
    const { clock, context } = one.cases;
    one.check.until = clock.time + 1000;
    context.notifier.missed();
    await settle();
    clock.time += 500;
    await vi.advanceTimersByTimeAsync(1000);
    expect(one.check.count).toBe(3);
    clock.time += 500;
    one.check.failure = refusal("PACKAGE_EXPIRED");
    await vi.advanceTimersByTimeAsync(500);
    expect(one.transfer.ended.reason).toBe(one.check.failure);
  });

  test("[J7] goes on while the store has trouble, and is checked again within a second", async () => {
    await using one = await open();
    one.check.failure = new Error("The database is locked.");
    one.cases.context.notifier.missed();
    await settle();
    expect(one.transfer.ended.aborted).toBe(false);
    one.check.failure = refusal("TOKEN_UNKNOWN");
    await vi.advanceTimersByTimeAsync(500);
    expect(one.transfer.ended.reason).toBe(one.check.failure);
  });

  test("[J7] is checked at once where news come during a check that fails", async () => {
    await using one = await open();
    const { notifier } = one.cases.context;
    const revoked = refusal("TOKEN_UNKNOWN");
    one.check.failure = new Error("The database is locked.");
    one.check.meanwhile = () => {
      one.check.meanwhile = () => undefined;
      one.check.failure = revoked;
      notifier.missed();
    };
    notifier.missed();
    await settle();
    expect(one.transfer.ended.reason).toBe(revoked);
  });

  test("[J9] leaves no listener and no timer behind, and never ends after its end", async () => {
    await using one = await open();
    const { notifier } = one.cases.context;
    one.check.failure = refusal("TOKEN_UNKNOWN");
    notifier.missed();
    one.transfer[Symbol.dispose]();
    await settle();
    notifier.missed();
    await settle();
    expect([one.check.count, one.transfer.ended.aborted]).toEqual([2, false]);
    expect([one.listening(), vi.getTimerCount()]).toEqual([0, 0]);
  });

  test("[J9] leaves none behind either where its check ends it", async () => {
    await using one = await open();
    expect([one.listening(), vi.getTimerCount()]).toEqual([1, 1]);
    one.check.failure = refusal("TOKEN_UNKNOWN");
    one.cases.context.notifier.missed();
    await settle();
    expect([one.listening(), vi.getTimerCount()]).toEqual([0, 0]);
  });
});

test("[J9] an upload's watch names the refusal that the check at its end would give", async () => {
  await using one = await openUpload();
  const { cases, app, packageId } = one;
  const upload = { app, packageId, file: "kick.wav", caller: callingApp(app, "192.0.2.1") };
  const transfer = watchUpload(cases.context, upload);
  await settle();
  expect(transfer.ended.aborted).toBe(false);
  cases.clock.time += HOUR;
  cases.context.notifier.missed();
  await until(() => expect(transfer.ended.reason).toMatchObject({ code: "PACKAGE_EXPIRED" }));
  await cases.context.pairings.unpair({ tokenHash: app.tokenHash }, cases.clock.now());
  const second = watchUpload(cases.context, upload);
  await until(() => expect(second.ended.reason).toMatchObject({ code: "TOKEN_UNKNOWN" }));
});

test("[J9][AD3] an upload ends when its app, its package or its operator says so", async () => {
  await using one = await openUpload();
  const { app, packageId } = one;
  const { context, clock } = one.cases;
  const { notifier } = context;
  const changed = { type: "packages.changed" } as const;
  const upload = { app, packageId, file: "kick.wav", caller: callingApp(app, "192.0.2.1") };
  const watched = () => watchUpload(context, upload);

  const blocked = await operatorWho({
    readDecisions: async () => ({
      addresses: ["192.0.2.1"],
      devices: [],
      off: new Map(),
      deniesSounds: false,
      hasKeys: false,
    }),
  });
  using barred = watchUpload({ ...context, operator: blocked }, upload);
  await until(() => expect(barred.ended.reason).toMatchObject({ code: "ADDRESS_BLOCKED" }));

  using ofPackage = watched();
  await settle();
  clock.time += HOUR;
  await notifier.notify(`package:${packageId}`, changed);
  await until(() => expect(ofPackage.ended.reason).toMatchObject({ code: "PACKAGE_EXPIRED" }));

  clock.time -= HOUR;
  using ofPairing = watched();
  await settle();
  await context.pairings.unpair({ tokenHash: app.tokenHash }, clock.now());
  await notifier.notify(`pairing:${app.pairingId}`, changed);
  await until(() => expect(ofPairing.ended.reason).toMatchObject({ code: "TOKEN_UNKNOWN" }));
});

test("[J9][AD5] a download ends when its importer, its package or its operator says so, and at no time else", async () => {
  await using cases = await openUseCases();
  const app = await pairedApp(cases);
  const packageId = await send(cases, app);
  const { context } = cases;
  const changed = { type: "packages.changed" } as const;
  let isKnown = true;
  const download = {
    deviceId: app.deviceId,
    packageId,
    file: "kick.wav",
    authenticate: async () => {
      if (!isKnown) throw refusal("TOKEN_UNKNOWN");
    },
  };
  const { manifest } = await recordOf(cases, packageId);
  const denied = new Set(manifest.items.map(({ sha256 }) => sha256));
  const denying = await operatorWho({ findDenied: async () => denied });
  using refused = watchDownload({ ...context, operator: denying }, download);
  await until(() => expect(refused.ended.reason).toMatchObject({ code: "SOUND_DENIED" }));

  using elsewhere = watchDownload(context, { ...download, deviceId: "dev_other" });
  await until(() => expect(elsewhere.ended.reason).toMatchObject({ code: "PACKAGE_UNKNOWN" }));

  using ofDevice = watchDownload(context, download);
  await settle();
  cases.clock.time += 24 * HOUR;
  context.notifier.missed();
  await settle();
  expect(ofDevice.ended.aborted).toBe(false);
  isKnown = false;
  await context.notifier.notify(`device:${app.deviceId}`, changed);
  await until(() => expect(ofDevice.ended.reason).toMatchObject({ code: "TOKEN_UNKNOWN" }));

  isKnown = true;
  cases.clock.time -= 24 * HOUR;
  using ofPackage = watchDownload(context, download);
  await settle();
  const { version } = await recordOf(cases, packageId);
  await context.packages.remove(packageId, version);
  await context.notifier.notify(`package:${packageId}`, changed);
  await until(() => expect(ofPackage.ended.reason).toMatchObject({ code: "PACKAGE_UNKNOWN" }));
});
