import { describe, expect, test } from "vitest";
import { announcePackage } from "../../../../relay/domain/packages/announce.ts";
import { Refusal, refusal } from "../../../../core/protocol/refusal.ts";
import { withdraw } from "../../../../relay/domain/packages/withdraw-package.ts";
import { DAY, HOUR, MINUTE, T0 } from "../../../contracts/relay/records/sample-records.ts";
import {
  announce,
  announced,
  openUseCases,
  pair,
  pairedApp,
  proven,
  recordOf,
  register,
  send,
  sendBytes,
} from "../use-cases.ts";
import { manifestOf } from "../../../manifest-of.ts";

/** A manifest of one sound of that size. */
function soundOf(bytes: number) {
  return { schema: "app2host/1", items: [{ file: "x.wav", bytes, sha256: "0".repeat(64) }] };
}

describe("an announcement", () => {
  test("[M8] is answered with id, upload paths, warnings and the end of the upload window", async () => {
    await using cases = await openUseCases();
    const app = await pairedApp(cases);
    const manifest = { ...manifestOf(["Kick 1.wav", "b.wav"]), extra: 1 };
    const { json, replayed } = await announce(cases, app, manifest);
    expect(replayed).toBe(false);
    const answer = JSON.parse(json);
    const { package_id: packageId } = answer;
    expect(answer).toEqual({
      package_id: expect.stringMatching(/^pkg_[\w-]{22}$/),
      upload: {
        "Kick 1.wav": `/packages/${packageId}/files/Kick%201.wav`,
        "b.wav": `/packages/${packageId}/files/b.wav`,
      },
      warnings: [expect.objectContaining({ field: "extra" })],
      expires_at: "2026-01-01T01:00:00.000Z",
      expires_in: 3600,
    });
    expect(await recordOf(cases, packageId)).toEqual({
      packageId,
      deviceId: app.deviceId,
      appId: "app-1",
      appName: "Looper",
      createdAt: T0,
      manifest: expect.objectContaining({ title: "Kit", package_id: packageId }),
      life: {
        uploadEndsAt: T0 + HOUR,
        committedAt: null,
        waitEndsAt: null,
        outcome: null,
        lease: null,
      },
      uploaded: new Map(),
      results: null,
      isSpare: false,
      takenAt: null,
      reportedAt: null,
      filesDeleted: false,
      room: { address: "192.0.2.1", networks: ["192.0.2.0/24"], until: T0 + 5 * MINUTE },
      version: 1,
    });
  });

  test("[M1] whose body is no JSON or no manifest is refused, and does not count", async () => {
    await using cases = await openUseCases({ packagesPerHour: 1 });
    const app = await pairedApp(cases);
    const broken = announcePackage(cases.context, app, {
      body: new Uint8Array(),
      parse: () => {
        throw refusal("NOT_JSON");
      },
      idempotencyKey: "x".repeat(201),
      address: "192.0.2.1",
    });
    await expect(broken).rejects.toMatchObject({ code: "NOT_JSON" });
    await expect(announce(cases, app, [])).rejects.toMatchObject({ code: "MANIFEST_NOT_OBJECT" });
    await announce(cases, app);
  });
});

describe("an Idempotency-Key", () => {
  test("[M9] has 1 to 200 characters", async () => {
    await using cases = await openUseCases();
    const app = await pairedApp(cases);
    for (const length of [1, 200]) {
      await announce(cases, app, manifestOf(["a.wav"]), { idempotencyKey: "k".repeat(length) });
    }
    for (const length of [0, 201]) {
      const key = { idempotencyKey: "k".repeat(length) };
      await expect(announce(cases, app, [], key)).rejects.toMatchObject({
        code: "IDEMPOTENCY_KEY_WRONG",
        status: 422,
      });
    }
  });

  test("[E3] has its only problem among the problems of a 422; other refusals have none", async () => {
    await using cases = await openUseCases();
    const app = await pairedApp(cases);
    const problemsOf = async (...asked: Parameters<typeof announce>) => {
      const refused: unknown = await announce(...asked).catch((error: unknown) => error);
      if (!(refused instanceof Refusal)) throw new Error("It was not refused.");
      return refused.extras.problems?.map(({ code }) => code);
    };
    const key = { idempotencyKey: "" };
    expect(await problemsOf(cases, app, [], key)).toEqual(["IDEMPOTENCY_KEY_WRONG"]);
    const [item] = soundOf(1).items;
    const twoWrong = {
      ...soundOf(1),
      items: [
        { ...item, file: 1 },
        { ...item, bytes: "many" },
      ],
    };
    expect(await problemsOf(cases, app, twoWrong)).toHaveLength(2);
    cases.context.sounds.room = async () => 0;
    expect(await problemsOf(cases, app, manifestOf(["a.wav"]))).toBeUndefined();
    cases.context.packages.insert = async () => Promise.reject(new Error("The store fails."));
    await expect(announce(cases, app)).rejects.toThrow("The store fails.");
  });

  test("[M9] with the same bytes repeats the answer to the letter until the upload window ends", async () => {
    await using cases = await openUseCases();
    const app = await pairedApp(cases);
    const ask = () => announce(cases, app, manifestOf(["a.wav"]), { idempotencyKey: "k" });
    const { json } = await ask();
    cases.clock.time = T0 + HOUR - 1;
    expect(await ask()).toEqual({ json, replayed: true });
    cases.clock.time = T0 + HOUR;
    const later = await ask();
    expect(later.replayed).toBe(false);
    expect(later.json).not.toBe(json);
  });

  test("[M9] without one the same bytes make a new package each time", async () => {
    await using cases = await openUseCases();
    const app = await pairedApp(cases);
    const [first, second] = [await announced(cases, app), await announced(cases, app)];
    expect(first.package_id).not.toBe(second.package_id);
  });

  test("[M9] with other bytes is refused", async () => {
    await using cases = await openUseCases();
    const app = await pairedApp(cases);
    await announce(cases, app, manifestOf(["a.wav"]), { idempotencyKey: "k" });
    const other = announce(cases, app, manifestOf(["b.wav"]), { idempotencyKey: "k" });
    await expect(other).rejects.toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED", status: 422 });
    // A replay is judged before the manifest (rule L1).
    const broken = announce(cases, app, [], { idempotencyKey: "k" });
    await expect(broken).rejects.toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
  });

  test("[M9] used twice at once makes one package; with other bytes the second is refused", async () => {
    await using cases = await openUseCases();
    const app = await pairedApp(cases);
    const ask = (file: string, idempotencyKey: string) =>
      announce(cases, app, manifestOf([file]), { idempotencyKey });
    const [first, second] = await Promise.all([ask("a.wav", "k"), ask("a.wav", "k")]);
    expect([first, second].filter(({ replayed }) => replayed)).toHaveLength(1);
    expect(second.json).toBe(first.json);
    const rivals = await Promise.allSettled([ask("a.wav", "other"), ask("b.wav", "other")]);
    const reasons = rivals.flatMap((rival) => (rival.status === "rejected" ? [rival.reason] : []));
    expect(reasons).toMatchObject([{ code: "IDEMPOTENCY_KEY_REUSED" }]);
  });

  test("[M9] is free again once the package is withdrawn, and is another's at another app", async () => {
    await using cases = await openUseCases();
    const { deviceId } = await register(cases);
    const app = await cases.context.known.app(await pair(cases, deviceId));
    const other = await cases.context.known.app(await pair(cases, deviceId, "app-2"));
    const ask = async (by: typeof app) =>
      (await announced(cases, by, manifestOf(["a.wav"]), { idempotencyKey: "k" })).package_id;
    const first = await ask(app);
    expect(await ask(other)).not.toBe(first);
    await withdraw(cases.context, app, first);
    expect(await ask(app)).not.toBe(first);
  });
});

describe("limits of an announcement", () => {
  test("[L1] so many packages an hour; the refusal says when there is room for one more", async () => {
    await using cases = await openUseCases({ packagesPerHour: 2 });
    const app = await pairedApp(cases);
    const { package_id: first } = await announced(cases, app);
    cases.clock.time = T0 + 10 * MINUTE;
    await announce(cases, app);
    await withdraw(cases.context, app, first);
    for (const [afterMs, seconds] of [
      [20 * MINUTE, 2400],
      [HOUR - 1500, 2],
      [HOUR - 1, 1],
    ] as const) {
      cases.clock.time = T0 + afterMs;
      await expect(announce(cases, app)).rejects.toMatchObject({
        code: "PACKAGES_TOO_MANY",
        status: 429,
        message: "The limit is 2 packages an hour. Try again later.",
        extras: { retryAfterSeconds: seconds },
      });
    }
    cases.clock.time = T0 + HOUR;
    await announce(cases, app);
  });

  test("[L1] nobody is asked to wait longer than the hour, or the day, although the clock was set back", async () => {
    await using cases = await openUseCases({ packagesPerHour: 1, bytesPerAddressPerDay: 1000 });
    const { deviceId } = await register(cases);
    const app = await cases.context.known.app(await pair(cases, deviceId));
    const other = await cases.context.known.app(await pair(cases, deviceId, "app-2"));
    await sendBytes(cases, app, 1000);
    cases.clock.time = T0 - HOUR / 2;
    await expect(announce(cases, app)).rejects.toMatchObject({
      extras: { retryAfterSeconds: 3600 },
    });
    await expect(announce(cases, other)).rejects.toMatchObject({
      code: "ADDRESS_BYTES_TOO_MANY",
      extras: { retryAfterSeconds: 86_400 },
    });
    // A whole window back, and it counts no more.
    cases.clock.time = T0 - DAY;
    await announce(cases, app, soundOf(1000));
  });

  test("[L4] so many bytes a day from one address, an IPv6 network counted as one", async () => {
    await using cases = await openUseCases({ bytesPerAddressPerDay: 1000 });
    const app = await pairedApp(cases);
    const from = (address: string, bytes: number) => sendBytes(cases, app, bytes, address);
    await from("2001:db8::1", 600);
    await from("2001:db8::2", 400);
    cases.clock.time = T0 + HOUR;
    await expect(from("2001:db8::3", 46)).rejects.toMatchObject({
      code: "ADDRESS_BYTES_TOO_MANY",
      status: 429,
      extras: { retryAfterSeconds: 23 * 3600 },
    });
    await from("2001:db8:0:1::1", 1000);
    cases.clock.time = T0 + DAY;
    await from("2001:db8::3", 46);
  });

  test("[L2] no room where too many packages wait, the computer's bytes are used up, or the disk is", async () => {
    await using cases = await openUseCases({
      waitingPerDevice: 1,
      bytesPerDevice: 2000,
      minFreeBytes: 5000,
    });
    const app = proven(await pairedApp(cases));
    // 5 % of the free room is kept for uploads that ask for it again.
    let roomBytes: number | "unknown" = 7106;
    cases.context.sounds.room = async () => roomBytes;
    await expect(announce(cases, app, soundOf(2001))).rejects.toMatchObject({
      code: "DEVICE_FULL",
      status: 507,
    });
    roomBytes = 7104;
    await expect(announce(cases, app, soundOf(2000))).rejects.toMatchObject({
      code: "DISK_FULL",
      status: 507,
    });
    roomBytes = 7106;
    const { package_id: packageId } = await announced(cases, app, soundOf(2000));
    await withdraw(cases.context, app, packageId);
    roomBytes = "unknown";
    await send(cases, app);
    await expect(announce(cases, app)).rejects.toMatchObject({ code: "MANY_WAIT", status: 507 });
  });

  test("[P8] of a computer that was removed meanwhile is 401", async () => {
    await using cases = await openUseCases();
    const app = await pairedApp(cases);
    await cases.context.pairings.removeDevice(app.deviceId);
    await expect(announce(cases, app)).rejects.toMatchObject({
      code: "TOKEN_UNKNOWN",
      status: 401,
    });
  });
});
