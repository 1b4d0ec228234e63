import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { commitPackage } from "../../../../relay/domain/packages/commit-package.ts";
import type { KnownApp } from "../../../../relay/domain/pairing/known-tokens.ts";
import { callingApp } from "../../../../relay/domain/caller.ts";
import { awaitStatus } from "../../../../relay/domain/packages/read-status.ts";
import { reportResults, takePackage } from "../../../../relay/domain/packages/import-package.ts";
import { withdraw } from "../../../../relay/domain/packages/withdraw-package.ts";
import { unpairToken } from "../../../../relay/domain/pairing/unpair.ts";
import { DAY, HOUR, T0 } from "../../../contracts/relay/records/sample-records.ts";
import {
  announced,
  openUseCases,
  pair,
  pairedApp,
  send,
  upload,
  type UseCases,
} from "../use-cases.ts";

const WAIT = 30_000;

/** A status that is waited for; time passes only where the test says so. */
interface Waiting {
  /** Returns the answer; undefined while the wait lasts. */
  readonly answer: () => Promise<unknown>;
  readonly stop: () => void;
}

describe("waiting for a status", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function wait(
    cases: UseCases,
    app: KnownApp,
    packageId: string,
    known?: string,
    waitMs = WAIT,
  ): Waiting {
    const stopping = new AbortController();
    let outcome: unknown;
    const waiting = awaitStatus(cases.context, app, packageId, {
      known,
      waitMs,
      caller: callingApp(app, "192.0.2.1"),
      stopped: stopping.signal,
    });
    waiting.then(
      (json) => (outcome = JSON.parse(json).status),
      (error: unknown) => (outcome = error),
    );
    return {
      stop: () => stopping.abort(),
      answer: async () => {
        await pass(cases, 0);
        return outcome;
      },
    };
  }

  async function pass(cases: UseCases, ms: number): Promise<void> {
    cases.clock.time += ms;
    await vi.advanceTimersByTimeAsync(ms);
  }

  async function open() {
    const cases = await openUseCases();
    const app = await pairedApp(cases);
    return { cases, app, packageId: await send(cases, app) };
  }

  test("[S8] answers at once where the status is another than the known one", async () => {
    const { cases, app, packageId } = await open();
    await using _ = cases;
    expect(await wait(cases, app, packageId, "uploading").answer()).toBe("waiting");
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each(["imported", "partial", "failed", "expired"])(
    "[S8] answers at once where the status is %s, since it changes no more",
    async (status) => {
      await using cases = await openUseCases();
      const app = await pairedApp(cases);
      const packageId = await send(cases, app, ["a.wav", "b.wav"]);
      if (status === "expired") cases.clock.time = T0 + DAY;
      else {
        const one = { status: "imported" };
        const results = { imported: { 1: one, 2: one }, partial: { 1: one } }[status] ?? {};
        await reportResults(cases.context, app, packageId, { results });
      }
      expect(await wait(cases, app, packageId, status).answer()).toBe(status);
      expect(await wait(cases, app, packageId).answer()).toBe(status);
    },
  );

  test("[S8] answers when the status changes, with or without a known one", async () => {
    await using cases = await openUseCases();
    const app = await pairedApp(cases);
    const { package_id: packageId } = await announced(cases, app);
    const waits = [wait(cases, app, packageId), wait(cases, app, packageId, "uploading")];
    await pass(cases, 1000);
    await upload(cases, app, packageId);
    for (const { answer } of waits) expect(await answer()).toBeUndefined();
    await commitPackage(cases.context, app, packageId);
    for (const { answer } of waits) expect(await answer()).toBe("waiting");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("[S8] goes on where something else of the package changed", async () => {
    const { cases, app, packageId } = await open();
    await using _ = cases;
    await takePackage(cases.context, app.deviceId, packageId, { run_id: "a" });
    const { answer } = wait(cases, app, packageId);
    for (const run of ["a", "b", "c"]) {
      await answer();
      await takePackage(cases.context, app.deviceId, packageId, { run_id: run, force: true });
      expect(await answer()).toBeUndefined();
    }
    await pass(cases, WAIT - 1);
    expect(await answer()).toBeUndefined();
    await pass(cases, 1);
    expect(await answer()).toBe("waiting");
  });

  test("[S7][S8] goes on when a run takes the package: its status stays the same", async () => {
    const { cases, app, packageId } = await open();
    await using _ = cases;
    const { answer } = wait(cases, app, packageId, "waiting");
    expect(await answer()).toBeUndefined();
    await takePackage(cases.context, app.deviceId, packageId, { run_id: "a" });
    expect(await answer()).toBeUndefined();
    await reportResults(cases.context, app, packageId, { results: {} });
    expect(await answer()).toBe("failed");
  });

  test("[S8] answers after its time with the status as it is", async () => {
    const { cases, app, packageId } = await open();
    await using _ = cases;
    const { answer } = wait(cases, app, packageId);
    await answer();
    await pass(cases, WAIT - 1);
    expect(await answer()).toBeUndefined();
    await pass(cases, 1);
    expect(await answer()).toBe("waiting");
    expect(await wait(cases, app, packageId, "waiting", 0).answer()).toBe("waiting");
  });

  test("[S8] ends after its time although the clock was set back meanwhile", async () => {
    const { cases, app, packageId } = await open();
    await using _ = cases;
    const { answer } = wait(cases, app, packageId);
    await answer();
    cases.clock.time -= HOUR;
    await pass(cases, WAIT);
    expect(await answer()).toBe("waiting");
  });

  test("[S8] ends after its time although the relay's time runs slower, or stands still", async () => {
    const { cases, app, packageId } = await open();
    await using _ = cases;
    const { answer } = wait(cases, app, packageId);
    await answer();
    await vi.advanceTimersByTimeAsync(WAIT - 1);
    expect(await answer()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(await answer()).toBe("waiting");
  });

  test("[J6] looks again regularly, so that a notification lost for ever is made good", async () => {
    await using cases = await openUseCases({ lookAgainMs: 5000 });
    const app = await pairedApp(cases);
    const packageId = await send(cases, app);
    const { answer } = wait(cases, app, packageId);
    await answer();
    cases.context.notifier.notify = async () => undefined;
    await reportResults(cases.context, app, packageId, { results: {} });
    await pass(cases, 4999);
    expect(await answer()).toBeUndefined();
    await pass(cases, 1);
    expect(await answer()).toBe("failed");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("[J6] looks again where a notification may have been missed", async () => {
    const { cases, app, packageId } = await open();
    await using _ = cases;
    const { answer } = wait(cases, app, packageId);
    await answer();
    const { notifier } = cases.context;
    notifier.notify = async () => undefined;
    await reportResults(cases.context, app, packageId, { results: {} });
    expect(await answer()).toBeUndefined();
    notifier.missed();
    expect(await answer()).toBe("failed");
  });

  test("[S4][S8] answers at the moment the package expires", async () => {
    const { cases, app, packageId } = await open();
    await using _ = cases;
    cases.clock.time = T0 + DAY - 10_000;
    const { answer } = wait(cases, app, packageId);
    await answer();
    await pass(cases, 9999);
    expect(await answer()).toBeUndefined();
    await pass(cases, 1);
    expect(await answer()).toBe("expired");
  });

  test("[S8] is 404 once the package is withdrawn", async () => {
    const { cases, app, packageId } = await open();
    await using _ = cases;
    const { answer } = wait(cases, app, packageId);
    await answer();
    await withdraw(cases.context, app, packageId);
    expect(await answer()).toMatchObject({ code: "PACKAGE_UNKNOWN" });
  });

  test("[S8] is 401 once its token is revoked, and goes on for the app's other tokens", async () => {
    const { cases, app, packageId } = await open();
    await using _ = cases;
    const { known } = cases.context;
    const other = await known.app(await pair(cases, app.deviceId));
    const waits = [app, other].map((by) => wait(cases, by, packageId));
    for (const { answer } of waits) await answer();
    await unpairToken(cases.context, app);
    expect(await waits[0]?.answer()).toMatchObject({ code: "TOKEN_UNKNOWN", status: 401 });
    expect(await waits[1]?.answer()).toBeUndefined();
    await unpairToken(cases.context, other);
    expect(await waits[1]?.answer()).toMatchObject({ code: "TOKEN_UNKNOWN" });
  });

  test("[J7] is 401 where its token was revoked before anybody listened", async () => {
    const { cases, app, packageId } = await open();
    await using _ = cases;
    await cases.context.pairings.unpair({ tokenHash: app.tokenHash }, cases.clock.now());
    expect(await wait(cases, app, packageId).answer()).toMatchObject({ code: "TOKEN_UNKNOWN" });
  });

  test("[S8] answers with the status as it is when the relay stops", async () => {
    const { cases, app, packageId } = await open();
    await using _ = cases;
    const { answer, stop } = wait(cases, app, packageId);
    expect(await answer()).toBeUndefined();
    stop();
    expect(await answer()).toBe("waiting");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("[S8] notices a change that comes while it reads", async () => {
    const { cases, app, packageId } = await open();
    await using _ = cases;
    const { packages } = cases.context;
    const find = packages.find.bind(packages);
    packages.find = async (id) => {
      packages.find = find;
      const record = await find(id);
      await reportResults(cases.context, app, packageId, { results: {} });
      return record;
    };
    expect(await wait(cases, app, packageId).answer()).toBe("failed");
  });

  test("[S8] leaves no listener behind, however it ends", async () => {
    const { cases, app, packageId } = await open();
    await using _ = cases;
    const { notifier } = cases.context;
    const listen = notifier.listen.bind(notifier);
    const topics: string[] = [];
    const left: string[] = [];
    notifier.listen = (topic, listener) => {
      topics.push(topic);
      const stop = listen(topic, listener);
      return () => {
        left.push(topic);
        stop();
      };
    };
    const stopped = new AbortController();
    const caller = callingApp(app, "192.0.2.1");
    const waiting = { waitMs: WAIT, caller, stopped: stopped.signal };
    await awaitStatus(cases.context, app, packageId, { known: "uploading", ...waiting });
    const refused = awaitStatus(cases.context, app, "pkg_gone", { known: undefined, ...waiting });
    await expect(refused).rejects.toMatchObject({ code: "PACKAGE_UNKNOWN" });
    expect(topics).toEqual([
      `package:${packageId}`,
      `pairing:${app.pairingId}`,
      "package:pkg_gone",
      `pairing:${app.pairingId}`,
    ]);
    expect(left).toEqual(topics);
    expect(getEventListeners(stopped.signal, "abort")).toEqual([]);
  });
});
